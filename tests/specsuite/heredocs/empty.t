result_type = string
result = ""
