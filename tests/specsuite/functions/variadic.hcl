x = [first_and_rest(1), first_and_rest(1, "b", [])]
