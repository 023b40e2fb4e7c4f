a = [1 2]
b = (1 + ) + 2
c = 1
d = f(1 2)
e = { x = 1 y = 2 }
"quoted" = 1
f = 1,
c = 2
block "x" {
  g = ]
  h = 1
  foo
  single { a = 1, b = 2 }
  single { a = }
  i = 2
} j = 3
k = "${l m}"
n = o.
block "y" z = 1
block

p = a.*.*
q = 1.2.3
