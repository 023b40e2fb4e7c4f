variable "value" {
  validation {
    condition     = var.value != 0
    error_message = "is zero"
  }
}
resource "terraform_data" "a" {
  input = var.value
  lifecycle {
    precondition {
      condition     = var.value != 0
      error_message = "is zero"
    }
  }
}
check "c" {
  assert {
    condition     = var.value != 0
    error_message = "is zero"
  }
}
output "constant" {
  value = 1
  precondition {
    condition     = var.value != 0
    error_message = "is zero"
  }
}
module "inner" { source = "./inner" }
