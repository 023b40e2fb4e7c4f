result_type = string
result = "prod"
