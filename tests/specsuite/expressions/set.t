result_type = set(string)
result = ["a", "b"]
