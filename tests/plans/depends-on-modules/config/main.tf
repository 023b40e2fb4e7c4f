resource "terraform_data" "a" {}
module "m" {
  source = "./m"
  depends_on = [terraform_data.a]
}
resource "terraform_data" "b" {
  depends_on = [module.m, terraform_data.a]
  triggers_replace = [terraform_data.a.id]
}
output "o" {
  value = module.m.x
  depends_on = [terraform_data.b]
  description = "o"
  sensitive = true
}
