variable "pos" {
  default = 0
  validation {
    condition     = var.pos > 0
    error_message = "must be positive, is ${var.pos}"
  }
}
resource "demo_full" "a" {
  name = "a"
  lifecycle {
    precondition {
      condition     = demo_legacy.l.name == "z"
      error_message = "pre"
    }
  }
}
resource "demo_legacy" "l" {
  name = "l"
}
resource "demo_full" "dep" {
  name = demo_full.a.id
}
resource "demo_full" "uses" {
  name = "n${var.pos}"
}
output "o" {
  value = demo_legacy.l.arn
}
output "p" {
  value = demo_full.dep.name
}
check "c" {
  assert {
    condition     = demo_full.dep.name == ""
    error_message = "c"
  }
}
