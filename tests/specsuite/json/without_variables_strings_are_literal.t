result_type = string
result = "$${1 + 1}"
