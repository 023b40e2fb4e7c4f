packer {
  required_plugins {
    amazon = {
      source  = "github.com/hashicorp/amazon"
      version = ">= 1.2.0"
    }
  }
}

variable "release" {
  default = "24.04"
}

variable "password" {
  default   = "correct horse"
  sensitive = true
}

locals {
  standard_tags = {
    Component   = "user-service"
    Environment = "production"
  }
}

source "amazon-ebs" "example" {
  ami_name  = "web-${var.release}-{{timestamp}}"
  user_data = "password=${var.password}"

  tag {
    key   = "Name"
    value = "web"
  }

  dynamic "tag" {
    for_each = local.standard_tags
    content {
      key   = tag.key
      value = tag.value
    }
  }
}

build {
  name    = "images"
  sources = ["source.amazon-ebs.example"]

  provisioner "shell" {
    pause_before = "10s"
    inline       = ["setup --name ${source.name}", "report ${build.ID}"]
  }

  post-processor "manifest" {
    output = "manifest.json"
  }
}
