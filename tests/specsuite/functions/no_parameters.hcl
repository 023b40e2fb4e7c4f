x = answer()
