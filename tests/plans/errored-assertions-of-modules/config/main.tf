module "m1" {
  source   = "./m"
  for_each = { a = 1 }
  broken   = true
}
module "fine" { source = "./m" }
module "outer" { source = "./n" }
output "keys" { value = keys(module.m1) }
output "one" { value = module.m1["a"].o }
output "fine" { value = module.fine }
output "outer" { value = module.outer }
output "outer_constant" { value = module.outer.constant }
resource "terraform_data" "reads" { input = module.m1 }
resource "terraform_data" "reads_fine" { input = module.fine }
resource "terraform_data" "reads_one" { input = module.m1["a"].o }
resource "terraform_data" "waits" { depends_on = [module.m1] }
resource "terraform_data" "waits_outer" { depends_on = [module.outer] }
resource "terraform_data" "waits_fine" { depends_on = [module.fine] }
module "behind" {
  source     = "./m"
  depends_on = [module.m1]
}
check "root" {
  assert {
    condition     = "${var.v}a" || true
    error_message = "e"
  }
}
variable "v" { default = "x" }
