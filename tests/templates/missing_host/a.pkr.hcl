source "null" "x" {
  communicator = "none"
}

source "null" "y" {}

build {
  sources = ["null.y"]
}
