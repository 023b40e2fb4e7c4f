result_type = map(string)
result = {"x": "80!", "y": "q!"}
