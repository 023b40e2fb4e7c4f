x = try("one")
