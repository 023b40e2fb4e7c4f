result_type = object({ a = string })
result = null
