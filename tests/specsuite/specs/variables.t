result_type = string
result = "x"
