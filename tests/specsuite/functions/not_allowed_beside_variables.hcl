x = upper(a)
