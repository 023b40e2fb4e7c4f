x = double(n)
