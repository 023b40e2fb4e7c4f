variable "v" {
  validation {
    condition = var.v != ""
    error_message = "empty"
  }
}
output "v" { value = var.v }
