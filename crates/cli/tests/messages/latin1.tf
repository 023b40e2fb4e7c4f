a = 1
b = "café"
