module "a" {
  source   = "./a"
  for_each = toset(["x", "y"])
  in       = each.key
}
output "o" {
  value = { for k, m in module.a : k => m.out }
}
resource "demo_full" "after" {
  name       = module.a["x"].out[0].id
  depends_on = [module.a]
}
