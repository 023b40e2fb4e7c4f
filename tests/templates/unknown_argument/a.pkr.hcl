source "null" "x" {
  communicator = "none"
}

build {
  source "null.x" {
    ssh_prt = 22
  }
}
