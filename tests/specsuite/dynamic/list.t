result_type = list(object({ k = string, v = string }))
result = [{ k = "0", v = "a" }, { k = "1", v = "b" }]
