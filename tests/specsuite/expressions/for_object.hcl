v = {for k, v in tags : v => k}
