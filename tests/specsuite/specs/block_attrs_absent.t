result_type = map(string)
result = null
