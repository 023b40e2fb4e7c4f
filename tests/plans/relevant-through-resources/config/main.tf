variable "v" { default = 1 }
resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  input            = terraform_data.a.id
  triggers_replace = [terraform_data.other.output]
}
resource "terraform_data" "other" { input = "o" }
resource "terraform_data" "whole" { input = terraform_data.a.output }
resource "terraform_data" "many" {
  count = 2
  input = [count.index, terraform_data.a.triggers_replace]
}
resource "terraform_data" "each" {
  for_each = toset([terraform_data.first.input])
  input    = each.key
}
resource "terraform_data" "first" { input = "f" }
module "m" {
  source = "./m"
  value  = terraform_data.a.output
}
resource "terraform_data" "reads_input" { input = terraform_data.b.input }
resource "terraform_data" "reads_computed" { input = [terraform_data.b.output, terraform_data.whole.id] }
resource "terraform_data" "reads_many" {
  count = 1
  input = terraform_data.many[count.index].input[1]
}
resource "terraform_data" "reads_each" { input = terraform_data.each["f"].input }
resource "terraform_data" "reads_module" { input = [module.m.inner, module.m.computed] }
output "whole" { value = terraform_data.whole }
output "all" { value = terraform_data.many[*].input }
