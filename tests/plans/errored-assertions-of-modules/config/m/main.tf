variable "v" { default = "x" }
variable "broken" { default = false }
output "o" { value = "k" }
resource "terraform_data" "in" {}
check "c" {
  assert {
    condition     = var.broken ? "${var.v}a" || true : true
    error_message = "e"
  }
}
check "false" {
  assert {
    condition     = var.v == "y"
    error_message = "e"
  }
}
