variable "id" {
  type    = string
  default = null
}
import {
  to = terraform_data.a["p"]
  id = var.id
}
import {
  to = terraform_data.b[5]
  id = "x"
}
resource "terraform_data" "a" { for_each = toset(["p", "q"]) }
resource "terraform_data" "b" { count = 2 }
resource "terraform_data" "behind_a" { input = terraform_data.a["q"].id }
resource "terraform_data" "behind_b" { depends_on = [terraform_data.b] }
resource "terraform_data" "free" {}
output "behind" { value = terraform_data.a["q"].id }
