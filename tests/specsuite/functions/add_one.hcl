x = add_one(41)
