short=1
much_longer   =   2

# A blank line, a comment line, a block and a value of several lines end a run.
a=1
# here
bbb=2
cc {
dddd=3
eeeeee=4
}
ff=[
1,
]
gggg=5
hhhhhhhh=f(
1,
2)
i=6
object={
k="v"
"quoted key"="w"
(computed)=1
colon:2
"x"=1,"yyyy"=2
}
one_line={a=1,bb=2}
