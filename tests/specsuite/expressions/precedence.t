result_type = bool
result = true
