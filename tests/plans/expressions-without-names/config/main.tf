variable "x" {
  default = true
}
variable "n" {
  default = 3
}
locals {
  l = [1, 2]
}
