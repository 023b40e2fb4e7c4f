locals {
  commands = { one = ["echo 1"], two = ["echo 2", "echo 3"] }
}

source "null" "x" {
  communicator = "none"
}

build {
  sources = ["null.x"]

  dynamic "provisioner" {
    for_each = local.commands
    iterator = it
    labels   = ["shell-local"]
    content {
      inline = [for command in it.value : "${command} # ${it.key}"]
    }
  }

  dynamic "post-processors" {
    for_each = [["manifest"], ["manifest", "manifest"]]
    iterator = sequence
    content {
      dynamic "post-processor" {
        for_each = sequence.value
        labels   = [post-processor.value]
        content {}
      }
    }
  }
}
