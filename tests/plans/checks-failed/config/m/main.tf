variable "n" {}
check "small" {
  assert {
    condition = var.n < 10
    error_message = "n is ${var.n}"
  }
}
resource "terraform_data" "r" {
  for_each = toset(["x","y"])
  input = var.n
  lifecycle {
    postcondition {
      condition = self.input < 100
      error_message = "big"
    }
  }
}
