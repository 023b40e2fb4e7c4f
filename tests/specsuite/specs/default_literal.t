result_type = string
result = "NONE"
