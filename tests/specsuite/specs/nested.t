result_type = object({ b = list(object({ c = object({ d = number }) })) })
result = { b = [{ c = { d = 1 } }, { c = null }] }
