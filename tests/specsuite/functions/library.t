result_type = tuple([string, string])
result = ["A!", "B!"]
