variable "s" { 
  sensitive = true 
  default = "two"
}
resource "terraform_data" "a" { input = { plain = 2, secret = var.s } }
resource "terraform_data" "l" { input = [var.s, "c"] }
resource "terraform_data" "w" { input = var.s }
resource "terraform_data" "becomes" { input = sensitive("x") }
resource "terraform_data" "unbecomes" { input = "x" }
output "o" { 
  value = terraform_data.a.output 
  sensitive = true
}
