variable "value" {}

resource "terraform_data" "leaf" {
  input = var.value
}

output "value" {
  value = var.value
}
