result_type = set(object({p = string}))
result = [{"p": "80"}, {"p": "auto"}]
