result_type = string
result = "a\\nb\n"
