a = "%{ if b }c"
d = "%{ endif }"
e = "%{ if f }%{ else }%{ else }%{ endif }"
g = "%{ for h }%{ endfor }"
i = "%{ eles }"
j = "%{ if k l }%{ endif }"
m = "%{ 1 }"
label "x${y}" {
}
