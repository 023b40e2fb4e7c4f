resource "terraform_data" "new" {}
output "constant" {
  value      = "c"
  depends_on = [terraform_data.new]
}
