result_type = string
result = "on"
