

a=1



b=2
   
	
c {


d=1


}
for_over_lines=[
for x in y:
x.name
if x.ok
]
map_over_lines={
for k,v in m:
k=>{
a=v
}...
}
conditional=(
a
?b
:c
)
sum=(a+
b+
  c)
operators_end=(
a &&
b
)
chain=f(a)[0].b[
c
].d


