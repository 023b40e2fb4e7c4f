result_type = list(object({ k = string, v = string }))
result = [{ k = "env", v = "prod" }, { k = "team", v = "x" }]
