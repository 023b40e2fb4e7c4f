resource "demo_blocks" "a" {
  name = "over"
  opt {
    k = "y"
  }
  opt {
    k = "z"
  }
  dynamic "two" {
    for_each = ["p"]
    content {
      v = two.value
    }
  }
  lifecycle {
    create_before_destroy = true
  }
}
variable "v" {
  default = "b"
}
output "o" {
  value     = "${var.v}!"
  sensitive = true
}
