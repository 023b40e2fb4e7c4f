result_type = string
result = "hello web"
