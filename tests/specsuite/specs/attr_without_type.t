result_type = object({a = tuple([number, any]), b = string, c = any})
result = {"a": [1, null], "b": "x", "c": null}
