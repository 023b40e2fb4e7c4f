v = zones[1]
