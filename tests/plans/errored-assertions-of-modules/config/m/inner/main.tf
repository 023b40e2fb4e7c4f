variable "v" { default = "x" }
output "o" { value = "k" }
check "c" {
  assert {
    condition     = "${var.v}a" || true
    error_message = "e"
  }
}
