a = [for k, v in m : k => v... if v != null]
b = { for x in y : x.z => x... }
c = a ? b : c.d[0].*.e[*].f["g"]
d = !(1 + -2 * 3 % 4 >= 5 && true || false)
e = f(g, h...)
i = ns::j::k(1)
l = m.0.1
