result_type = list(object({ a = string }))
result = []
