source "null" "x" {
  communicator = "none"
}

build {
  source "null.x" {
    ssh_port = "many"
  }
}
