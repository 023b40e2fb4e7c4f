c = 1
a = "x"
b = "y"
