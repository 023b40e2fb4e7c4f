result_type = list(object({ k = string, v = string }))
result = [{ k = "first", v = null }, { k = "a", v = "web1" }]
