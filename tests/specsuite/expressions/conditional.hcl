v = n > 2 ? "big" : "small"
