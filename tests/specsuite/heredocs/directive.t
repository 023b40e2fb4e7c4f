result_type = string
result = "- a\n- b\n"
