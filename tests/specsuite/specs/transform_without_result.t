result_type = any
result = null
