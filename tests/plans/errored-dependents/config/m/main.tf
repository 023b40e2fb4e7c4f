variable "x" {
  validation {
    condition     = var.x == 1
    error_message = "x"
  }
}
variable "y" {
  validation {
    condition     = var.y == 1
    error_message = "y"
  }
}
resource "terraform_data" "r" {
  input = var.x
  lifecycle {
    precondition {
      condition     = var.x == 1
      error_message = "r"
    }
  }
}
resource "terraform_data" "s" {
  input = var.y
  lifecycle {
    postcondition {
      condition     = self.input == 1
      error_message = "r"
    }
  }
}
check "x" {
  assert {
    condition     = var.x == 1
    error_message = "x"
  }
}
check "y" {
  assert {
    condition     = var.y == 1
    error_message = "y"
  }
}
output "x" {
  value = var.x
  precondition {
    condition     = var.y == 1
    error_message = "y"
  }
}
