result_type = map(map(string))
result = { t = { x = "1", y = "2" }, u = { x = "3" } }
