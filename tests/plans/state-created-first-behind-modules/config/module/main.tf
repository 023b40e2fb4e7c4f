variable "unused" {}
variable "of_local" { default = "" }
variable "of_check" { default = "" }
variable "of_call" { default = "" }
variable "inside" { default = "" }
locals { unused = var.of_local }
check "unused" {
  assert {
    condition     = var.of_check != "x"
    error_message = "is x"
  }
}
resource "terraform_data" "waits" { input = var.of_call }
module "inner" {
  source     = "./inner"
  value      = var.inside
  depends_on = [terraform_data.waits]
}
output "constant" { value = "k" }
