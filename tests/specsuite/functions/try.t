result_type = string
result = "no special one"
