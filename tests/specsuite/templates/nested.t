result_type = string
result = "xyweb"
