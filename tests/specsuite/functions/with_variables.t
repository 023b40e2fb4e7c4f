result_type = number
result = 2
