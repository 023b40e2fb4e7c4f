plain=<<EOT
   text   with   spaces
  ${ a+b }  and  %{ if c }  x  %{ else }y%{ endif }
EOT
flush   =   <<-EOT
    indented
      EOT
after=1
block {
in_call=f(<<A
a
A
,<<-B
  b
  B
)
list=[<<A
a
A
,2]
spans_lines=<<EOT
${
a
}
${f(
b)}
EOT
next=1
}
brackets=<<EOT
{ [ (
EOT
last=2
