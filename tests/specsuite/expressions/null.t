result_type = string
result = null
