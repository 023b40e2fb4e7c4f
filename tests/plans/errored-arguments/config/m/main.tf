variable "part" {
  validation {
    condition     = length(jsonencode(var.part)) > 0
    error_message = "bad"
  }
}
variable "typed" {
  type = number
  validation {
    condition     = var.typed == null || true
    error_message = "bad"
  }
}
variable "fine" {
  default = 1
  validation {
    condition     = var.fine == 1
    error_message = "bad"
  }
}
output "fine" { value = var.fine }
check "fine" {
  assert {
    condition     = var.fine == 1
    error_message = "bad"
  }
}
