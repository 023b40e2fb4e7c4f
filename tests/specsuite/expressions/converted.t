result_type = number
result = 12
