# Address plans: `count`, nested loops, and values that are known only after apply.

variable "cidr" {
  type    = string
  default = "10.20.0.0/16"

  validation {
    condition     = can(cidrnetmask(var.cidr))
    error_message = "The variable cidr needs an IPv4 prefix."
  }
}

variable "zones" {
  type = list(string)
}

resource "terraform_data" "gateway" {
  input = { cidr = var.cidr, zones = var.zones }
}

module "subnet" {
  source = "./subnet"
  count  = length(var.zones)

  name = "subnet-${var.zones[count.index]}"
  cidr = cidrsubnet(var.cidr, 8, count.index)
}

output "subnets" {
  value = { for subnet in module.subnet : subnet.name => subnet.cidr }
}

output "pairs" {
  value = flatten([
    for zone in var.zones : [
      for kind in ["public", "private"] : { zone = zone, kind = kind }
    ]
  ])
}

output "third" {
  value = module.subnet[2].hosts
}

output "gateway_input" {
  value = terraform_data.gateway.input
}

output "gateway" {
  value = "gateway ${terraform_data.gateway.id}"
}

output "share" {
  value = 1 / length(var.zones)
}
