result_type = tuple([string, number])
result = ["1", 2]
