provider "demo" {
  region = "a"
}
provider "demo" {
  alias  = "b"
  region = var.region
}
variable "region" {
  default = "r"
}
module "one" {
  source = "./m"
  providers = {
    demo = demo.b
  }
  name = "x"
}
module "two" {
  source   = "./m"
  for_each = { a = "x", b = demo_full.root.id }
  name     = each.value
}
module "three" {
  source = "./n"
  providers = {
    demo.main = demo
    demo.alt  = demo.b
  }
}
resource "demo_full" "root" {
  name = module.one.id
  meta = module.one.meta
}
output "all" {
  value     = module.two
  sensitive = true
}
output "ids" {
  value = [for k, m in module.two : m.id]
}
