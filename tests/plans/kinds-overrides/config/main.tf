resource "demo_blocks" "a" {
  name = "base"
  two {
    v = "1"
  }
  opt {
    k = "x"
  }
  one {
    a = "one"
  }
  lifecycle {
    prevent_destroy = true
  }
}
variable "v" {
  default = "a"
}
output "o" {
  value = var.v
}
