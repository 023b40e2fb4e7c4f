x = [for word in ["a", "b"] : shout(word)]
