variable "m" { 
  type = map(object({ n = number, tags = optional(map(string), {}) }))
  default = { a = { n = 1 }, b = { n = 2, tags = { z = "1", y = "2" } } }
}
resource "terraform_data" "x" {
  for_each = var.m
  input = { n = each.value.n, t = each.value.tags, k = each.key, all = keys(var.m) }
}
module "c" {
  source = "./c"
  count = 2
  i = count.index
  data = terraform_data.x
}
output "all" { value = { for k, v in terraform_data.x : k => v.input.n } }
output "mod" { value = module.c[*].o }
output "one" { value = module.c[0].o }
output "sum" { value = sum([for k, v in var.m : v.n]) }
