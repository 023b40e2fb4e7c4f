result_type = string
result = "a;b;"
