result_type = map(string)
result = { prod = "env", x = "team" }
