source "null" "x" {
  communicator = "none"
}

build {
  source "null.x" {
    communicator = "none"
  }
}
