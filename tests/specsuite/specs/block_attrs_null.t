result_type = map(tuple([]))
result = {"a": null, "b": []}
