result_type = map(string)
result = { web = "1", "//" = "2" }
