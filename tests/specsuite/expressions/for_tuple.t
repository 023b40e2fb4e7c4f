result_type = list(string)
result = ["a!", "b!"]
