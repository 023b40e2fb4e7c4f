variable "size" {
  type    = number
  default = 3
}
output "double" { value = "${var.size * 2} apples" }
