result_type = list(string)
result = ["80", "q"]
