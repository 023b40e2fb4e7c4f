result_type = map(string)
result = { z-a = "0", z-b = "1" }
