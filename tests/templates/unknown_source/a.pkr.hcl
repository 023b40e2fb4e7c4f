source "null" "x" {
  communicator = "none"
}

build {
  sources = ["null.nope"]
}
