result_type = tuple([object({count = number, first = number, rest = tuple([])}), object({count = number, first = number, rest = tuple([string, tuple([])])})])
result = [{"count": 0, "first": 1, "rest": []}, {"count": 2, "first": 1, "rest": ["b", []]}]
