a "b" c {
  d = 1 # e
  // f
  /* g
  h */ i {
  }
  j { k = 2 }
}
l {}


m = {
  n : 1,
  "o" = 2
  (p) = 3
}
