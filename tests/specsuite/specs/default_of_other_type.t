result_type = list(object({p = string}))
result = [{"p": "80"}, {"p": "auto"}]
