result_type = object({ a = string })
result = { a = "1" }
