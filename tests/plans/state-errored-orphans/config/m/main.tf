variable "value" {}
resource "terraform_data" "r" { input = var.value }
resource "terraform_data" "s" { input = 1 }
