variable "v" { type = object({ n = string, p = string, q = optional(bool) }) }
output "o" { value = merge(var.v, { up = upper(var.v.n) }) }
