module "each" {
  source   = "./m"
  for_each = { b = 2, c = 3 }
  n        = each.value
}
output "all" { value = { each = { for k, v in module.each : k => v.out } } }
