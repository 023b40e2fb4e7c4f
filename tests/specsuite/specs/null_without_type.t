result_type = object({v = object({a = tuple([number, any]), b = any})})
result = {"v": {"a": [1, null], "b": null}}
