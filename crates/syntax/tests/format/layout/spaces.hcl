calls=f( a,b ,  c )+g ( )+core :: upper( "x" )+h(a ...)
indexes=a [0]+b[ 1 ] [ "x" ]+c . d+e . * . f+g[ * ] .h+(a) [0]+f(x) [0]+{a=1} ["a"]+"x" [0]
minus=-1+a-b-  -1-(-b)+[ - 1,-c ]+f( - 1)
minus_after=a==-1||b>-1&&c?-1:-2
minus_object={ a=-1 }
minus_arrow={for k,v in m:k=>-v}
minus_template="${-1}${a -1}"
not=! a&&!b!=!c
compare=a<b&&c<=d||e>=f&&g!=h
arithmetic=a*b/c%d+e-f
conditional=a?b:c
chosen=a  ?  b  :  c
tuple=[ 1,2 ,3 ,]
object={  }
full={a=1}
nested=[{ a=[ ] },[ { } ]]
for_tuple=[for x in[1,2]:x]
for_splat=[for x in a[*]:x if x!=null]
for_object={for k , v in{a=1}:k=>v ...if v>0}
in=in[0]
empty_block{}
label_block "a""b"{}
one_line{a=1}
parens=( a )+( ( b ) )
