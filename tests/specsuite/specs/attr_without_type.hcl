a = [1, null]
b = "x"
