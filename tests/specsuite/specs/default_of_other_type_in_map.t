result_type = map(object({p = number, q = string}))
result = {"x": {"p": 80, "q": null}}
