terraform {
  required_providers {
    tree = { source = "acme/tree" }
  }
}
variable "key" {
  default   = "Mrk7"
  sensitive = true
}
data "terraform_remote_state" "press" {
  backend = "s3"
}
data "tree_soil" "all" {
  name = "north"
}
resource "tree_oak" "a" {
  count = 2
  size  = count.index
  key   = var.key
  leaf {
    color = "red"
  }
  lifecycle {
    postcondition {
      condition     = self.height != 3
      error_message = "Height ${self.height}."
    }
  }
}
resource "tree_oak" "north" {
  for_each = { elm = 1, fir = 2 }
  size     = each.value
}
resource "terraform_data" "b" {
  input            = [tree_oak.a[0].height, var.key]
  triggers_replace = tree_oak.north["elm"].id
}
moved {
  from = tree_oak.old
  to   = tree_oak.a[0]
}
import {
  to = tree_oak.north["fir"]
  id = "fir-1"
}
removed {
  from = tree_oak.gone
  lifecycle {
    destroy = false
  }
}
output "all" {
  value = tree_oak.a[*].height
}
output "juice" {
  value = data.terraform_remote_state.press.outputs.juice
}
output "soil" {
  value = data.tree_soil.all.layers
}
