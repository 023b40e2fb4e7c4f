result_type = string
result = "6%"
