variable "a" {
  default = null
}
