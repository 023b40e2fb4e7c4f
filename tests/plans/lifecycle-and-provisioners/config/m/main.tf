resource "terraform_data" "in" {}
output "x" {
  value      = 1
  depends_on = [terraform_data.in]
}
