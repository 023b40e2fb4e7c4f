variable "x" {}
variable "y" {}
resource "terraform_data" "uses_x" { input = var.x }
resource "terraform_data" "uses_y" { input = var.y }
output "o" { value = var.y }
