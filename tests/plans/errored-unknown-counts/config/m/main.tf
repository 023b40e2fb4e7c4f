variable "value" {
  validation {
    condition     = var.value == 1
    error_message = "x"
  }
}
resource "terraform_data" "r" {
  lifecycle {
    precondition {
      condition     = var.value == 1
      error_message = "x"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition     = var.value == 1
    error_message = "x"
  }
}
check "c" {
  assert {
    condition     = var.value == 1
    error_message = "x"
  }
}
