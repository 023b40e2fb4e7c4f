result_type = string
result = "2"
