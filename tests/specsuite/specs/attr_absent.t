result_type = list(string)
result = null
