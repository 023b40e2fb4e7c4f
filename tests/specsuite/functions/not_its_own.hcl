x = g()
