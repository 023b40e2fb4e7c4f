a="x ${ a } y${b+1}z"
b="${a}${b}"
c="%{ if a }b%{ else }c%{ endif }"
d="a ${~a~} b %{~ for x in y ~}${x}%{~endfor~}"
e="${{a=1}}${ { a=1 } }%{ if { a=1 }.a>0 }x%{endif}"
f="$${not} %%{not} $ % \" \\ ${"nested ${ "deep" }"}"
g="${f("a",b)}!"
h="${[1,2][0]}${a[ 0 ]}"
i="" 
j="${a
}-${
b}"
