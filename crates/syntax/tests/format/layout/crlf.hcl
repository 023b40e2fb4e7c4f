a=1
longer = [
1, # one
22, # two
]

b {
c="x"   # y
d=<<E
  text
E
}
