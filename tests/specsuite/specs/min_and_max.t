result_type = list(object({ a = string }))
result = [{ a = null }, { a = null }]
