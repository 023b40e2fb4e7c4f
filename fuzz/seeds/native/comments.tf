# first

a = 1 // end
b = [ # in
  1, /* two */ 2,
  # last
]
/* block
comment */
c = 3
