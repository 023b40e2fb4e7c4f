result_type = number
result = 3
