x = tags["team"]
