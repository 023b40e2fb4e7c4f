a = <<EOT
  x ${b}
  %{ for c in d }${c}%{ endfor }
EOT
e = <<-EOT
    indented
      more
    EOT
f = [<<A
q
A
, <<B
r
B
]
