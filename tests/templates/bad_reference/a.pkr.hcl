source "null" "x" {
  communicator = "none"
}

build {
  sources = ["x"]
}
