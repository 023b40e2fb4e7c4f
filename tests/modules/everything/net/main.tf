variable "name" {}
variable "port" {
  type     = number
  default  = 443
  nullable = false
}
locals { subs = { for x in ["a", "b"] : x => { n = "${var.name}-${x}", p = var.port + length(x) } } }
module "sub" {
  source   = "./sub"
  for_each = local.subs
  v        = each.value
}
output "label" { value = "${var.name}:${var.port}" }
output "subs" { value = { for k, m in module.sub : k => m.o } }
output "any" { value = values(module.sub)[*].o }
