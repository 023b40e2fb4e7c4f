source "null" "x" {
  communicator = "none"
}

locals {
  name = var.nope
}

build {
  sources = ["null.x"]
}
