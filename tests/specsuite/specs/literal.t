result = { a = [1, "b"], n = 2 }
