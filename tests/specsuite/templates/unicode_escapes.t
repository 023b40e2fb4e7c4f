result_type = string
result = "é\t\"\\"
