      a {
 b "c" {
d=[
[1,2],
      {
 e=f([
1,2
])
},
]
    }
          }
many=f(g([{
a=1
b=2
}]))
steps=f(g(
1),
2)
uneven=[[
1
],[
2]]
   // a comment has the level of what surrounds it
x {
// inside
  /* of several
     lines, untouched
  behind the first */
y=1
}
