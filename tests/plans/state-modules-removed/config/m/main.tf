variable "n" { type = number }
resource "terraform_data" "x" {
  count = 2
  input = var.n + count.index
}
output "out" { value = terraform_data.x[*].output }
