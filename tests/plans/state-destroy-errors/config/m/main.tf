variable "size" {}

resource "terraform_data" "inner" {
  input = var.size
}
