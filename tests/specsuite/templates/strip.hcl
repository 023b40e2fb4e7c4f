v = "a ${~ name ~} b"
