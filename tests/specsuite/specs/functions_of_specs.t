result_type = tuple([string, number, bool, number, number, tuple([number, string])])
result = ["\u00e9ba", 2, false, 1, -1, [1, "a"]]
