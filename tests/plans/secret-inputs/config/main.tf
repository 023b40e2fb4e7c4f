variable "object" {
  sensitive = true
  default   = { a = "x", b = ["y", "z"] }
}

variable "text" {
  sensitive = true
  default   = "abc"
}

locals {
  inputs = {
    text   = var.text
    object = var.object
    tuple  = sensitive([1, "a"])
    list   = sensitive(tolist(["p", "q"]))
    map    = sensitive(tomap({ k = "p" }))
    nested = { x = { a = var.text, b = 2 }, y = [var.object, 1] }
    late   = sensitive({ a = terraform_data.first.id, b = 1 })
  }
}

resource "terraform_data" "first" {}

resource "terraform_data" "text" {
  input = local.inputs.text
}

resource "terraform_data" "object" {
  input = local.inputs.object
}

resource "terraform_data" "tuple" {
  input = local.inputs.tuple
}

resource "terraform_data" "list" {
  input = local.inputs.list
}

resource "terraform_data" "map" {
  input = local.inputs.map
}

resource "terraform_data" "nested" {
  input = local.inputs.nested
}

resource "terraform_data" "late" {
  input = local.inputs.late
}

resource "terraform_data" "reader" {
  input = terraform_data.object.output
}

resource "terraform_data" "counted" {
  count = length(terraform_data.object.output)
  input = {
    keys   = keys(terraform_data.reader.output)
    inner  = keys(terraform_data.nested.output.y[0])
    is_map = can(keys(terraform_data.map.output))
    length = length(terraform_data.tuple.output)
    text   = can(tostring(terraform_data.late.output))
    names  = { for key in keys(terraform_data.late.output) : key => 1 }
  }
}

output "keys" {
  value = keys(terraform_data.nested.output)
}

output "sensitive" {
  value = issensitive(keys(terraform_data.object.output))
}

output "whole" {
  value = terraform_data.object.output
}
