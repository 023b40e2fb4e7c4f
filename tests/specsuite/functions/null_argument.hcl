x = f(null)
