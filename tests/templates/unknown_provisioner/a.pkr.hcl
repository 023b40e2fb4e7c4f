source "null" "x" {
  communicator = "none"
}

build {
  sources = ["null.x"]
  provisioner "nope" {}
}
