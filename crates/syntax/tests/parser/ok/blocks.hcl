# A comment.
resource "aws_instance" web {
  count = 2 /* two */

  network_interface {
    device_index = 0
  }
  lifecycle { prevent_destroy = true }
  empty {}
}

variable "a\"b" {
}
terraform {}
