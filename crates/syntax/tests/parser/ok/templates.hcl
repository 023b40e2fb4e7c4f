parts = "a ${b} $${c} %%{d} $5 100% $$${e}%%${f}"
wrapped = "${a}"
stripped = "x  ${~ a ~}  y\n ${~ b}"
emptied = " ${~ a ~} "
directives = "%{ if a }yes%{ else }no%{ endif }%{ for k, v in m ~} ${k} %{~ endfor }"
nested = "${"${"a"}-${upper("b")}"}"
heredoc = <<EOT
  ${a}
 "quoted" \n
    EOT
empty = <<EOT
EOT
flush = <<-EOT
    a

      b ${c}
    %{ if d ~}
    e
    %{ endif ~}
  EOT
multi = "${
  a
}"
marks = <<-EOT
   ́a
    b
  EOT
