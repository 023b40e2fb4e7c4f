source "null" "x" {
  communicator = "none"
}

build {
  sources = ["null.x"]

  provisioner "shell-local" {
    only   = ["null.x"]
    except = ["null.y"]
    inline = ["a"]
  }
}
