variable "value" {}
resource "terraform_data" "inner" { input = { v = var.value } }
output "inner" { value = terraform_data.inner.input.v }
output "computed" { value = terraform_data.inner.output }
