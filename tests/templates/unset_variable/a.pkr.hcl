source "null" "x" {
  communicator = "none"
}

variable "a" {}

build {
  sources = ["null.x"]
}
