literals = [null, true, false, 007, 1.5e-3, "text", "é \u00e9 \" \\"]
operators = 1 + 2 * -3 - 4 >= 5 && !a || b == c != d
names = a-b.c-d.for[0]["k"][x.y].1
conditional = a ? b ? 1 : 2 : c ? 3 : 4
objects = {
  a   = 1, (b) = 2
  "c" : 3
  null = 4 // comment
  d.e = {}
}
calls = [f(), g(1, 2,), core::upper(x...).y, (
  h(
    1
  )
)]
splats = [a[*].b[0], a.*.b.0[1], f(x)[*], a.*, a.b[*].c[*].d]
fors = [
  [for x in xs : x],
  { for k, v in m : k => v... if v != null },
]
