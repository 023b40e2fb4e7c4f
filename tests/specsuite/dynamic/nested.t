result_type = list(list(string))
result = [["a1", "a2"], ["b1", "b2"]]
