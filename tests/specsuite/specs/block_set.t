result_type = set(string)
result = ["1", "2"]
