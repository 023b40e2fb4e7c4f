result_type = list(object({ k = string, v = string }))
result = []
