result_type = tuple([bool, any])
result = [true, null]
