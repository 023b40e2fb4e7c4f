result_type = object({ x = string, renamed = number })
result = { x = "1", renamed = 2 }
