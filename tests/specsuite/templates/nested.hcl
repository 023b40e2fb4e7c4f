v = "x${"y${name}"}"
