variable "x" {}
resource "terraform_data" "p" {
  input = var.x
}
resource "terraform_data" "q" {
  depends_on = [terraform_data.p]
}
output "y" { value = terraform_data.p.input }
