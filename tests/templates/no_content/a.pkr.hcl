source "null" "x" {
  communicator = "none"
}

build {
  sources = ["null.x"]

  dynamic "provisioner" {
    for_each = ["a"]
    labels   = ["shell-local"]
  }
}
