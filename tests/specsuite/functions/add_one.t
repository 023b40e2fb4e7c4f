result_type = number
result = 42
