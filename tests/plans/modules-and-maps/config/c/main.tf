variable "i" { type = number }
variable "data" { type = any }
resource "terraform_data" "y" {
  for_each = var.data
  input = "${each.key}-${var.i}-${each.value.id}"
}
output "o" { value = [for k, v in terraform_data.y : v.input] }
