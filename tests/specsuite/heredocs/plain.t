result_type = string
result = "one\n  two\n"
