v = "hello ${name}"
