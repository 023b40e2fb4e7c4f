source "null" "a" {
  communicator = "none"
}

source "null" "b" {
  communicator = "none"
  ssh_port     = "22"
}

build {
  name    = "images"
  sources = ["null.a", "source.null.b"]

  provisioner "shell-local" {
    pause_before = "1s"
    max_retries  = 2
    only         = ["null.a"]
    inline       = ["echo ${source.name} ${build.ID}", "{{ .Vars }}"]
  }

  provisioner "shell-local" {
    inline = ["echo any"]
    override = {
      b = { inline = ["echo b"] }
    }
  }

  post-processors {
    post-processor "manifest" {
      output = "a.json"
    }
    post-processor "checksum" {
      checksum_types      = ["sha256"]
      keep_input_artifact = true
    }
  }

  post-processor "manifest" {
    except = ["null.b"]
  }
}

build {
  source "null.a" {
    name = "alias"
  }
}
