result_type = map(string)
result = { x = "1", y = "2" }
