result_type = list(object({ a = string }))
result = [{ a = "1" }, { a = null }]
