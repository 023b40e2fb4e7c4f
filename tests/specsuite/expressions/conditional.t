result_type = string
result = "big"
