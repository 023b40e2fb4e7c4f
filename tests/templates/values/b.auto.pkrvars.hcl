zones = ["c", "d", "e"]
