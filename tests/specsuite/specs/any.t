result = { x = [1, "a"] }
