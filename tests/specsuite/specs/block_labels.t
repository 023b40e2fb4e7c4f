result_type = list(tuple([tuple([string, string]), string]))
result = [[["t", "n"], "1"]]
