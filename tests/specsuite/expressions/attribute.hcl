v = tags.env
