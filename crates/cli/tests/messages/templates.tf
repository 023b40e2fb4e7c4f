locals {
  one   = "%{ if a }x%{ elseif b }y%{ endif }"
  two   = "%{ if a }x%{ else if b }y%{ endif }"
  three = "%{ if a }x"
  four  = "%{ if a = b }x%{ endif }"
  five  = "${upper("a"}"
  six   = "${a"
  seven = "%{ fi a }x%{ endif }"
}
