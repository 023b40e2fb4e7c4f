import {
  for_each = local.ids
  to       = module.m[each.key].terraform_data.in
  id       = each.value
}
locals { ids = { a = "1", b = "2" } }
module "m" {
  source   = "./m"
  for_each = { a = null, b = "v", c = "w" }
  in       = each.value
}
output "ids" { value = { for k, m in module.m : k => m.id } }
resource "terraform_data" "after" {
  input = module.m["a"].id
}
resource "terraform_data" "count" {
  count            = 2
  triggers_replace = count.index == 0 ? null : 1
}
import {
  to = terraform_data.count[0]
  id = "zero"
}
import {
  to = terraform_data.count[1]
  id = "one"
}
check "id" {
  assert {
    condition     = module.m["a"].id == "1"
    error_message = "x"
  }
}
