result_type = tuple([string, string])
result = ["1", "2"]
