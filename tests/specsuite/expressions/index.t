result_type = string
result = "b"
