variable "name" {
  type    = string
  default = "web"
}

variable "zones" {
  type    = list(string)
  default = ["a", 1]
}

variable "secret" {
  default   = "hunter2"
  sensitive = true
}

variable "later" {
  default = null
}

variables {
  release = "24.04"
}

locals {
  full = "${local.short}-${var.release}"
}

locals {
  short = upper(var.name)
  tags  = { Name = local.full, Zones = length(var.zones) }
}

source "null" "x" {
  communicator = "none"
}

build {
  sources = ["source.null.x"]
}
