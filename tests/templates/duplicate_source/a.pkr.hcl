source "null" "x" {
  communicator = "none"
}

source "null" "x" {
  communicator = "none"
}

build {
  sources = ["null.x"]
}
