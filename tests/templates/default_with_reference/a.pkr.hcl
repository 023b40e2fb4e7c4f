source "null" "x" {
  communicator = "none"
}

variable "name" {
  default = local.name
}

build {
  sources = ["null.x"]
}
