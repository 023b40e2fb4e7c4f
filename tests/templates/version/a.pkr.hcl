source "null" "x" {
  communicator = "none"
}

packer {
  required_version = ">= 99"
}

build {
  sources = ["null.x"]
}
