v = [for z in zones : "${z}!"]
