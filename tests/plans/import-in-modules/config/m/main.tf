resource "terraform_data" "in" {
  count = 1
  input = null
  lifecycle {
    ignore_changes = all
  }
}
output "id" { value = terraform_data.in[0].id }
