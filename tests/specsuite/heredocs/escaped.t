result_type = string
result = "$${name}\n"
