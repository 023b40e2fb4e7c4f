result_type = string
result = "A"
