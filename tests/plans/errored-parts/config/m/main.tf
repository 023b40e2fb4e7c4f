variable "a" {}
variable "b" {}
variable "c" {}
resource "terraform_data" "a" { input = var.a }
resource "terraform_data" "b" { input = var.b.j }
resource "terraform_data" "c" { input = var.c }
output "c" { value = var.c }
