variable "name" {
  type = string
}

variable "cidr_block" {
  type = string
}

variable "offset" {
  description = "Number of the first subnet; the following ones are for the other zones."
  type        = number
}

variable "zones" {
  type = list(string)
}

variable "public" {
  type    = bool
  default = false
}

variable "vpc_id" {
  type = string
}

variable "tags" {
  type    = map(string)
  default = {}
}

locals {
  cidr_blocks = {
    for index, zone in var.zones : zone => cidrsubnet(var.cidr_block, 8, var.offset + index)
  }
}

resource "aws_subnet" "zone" {
  for_each = local.cidr_blocks

  vpc_id                  = var.vpc_id
  availability_zone       = each.key
  cidr_block              = each.value
  map_public_ip_on_launch = var.public

  tags = merge(var.tags, { Name = "${var.name}-${substr(each.key, -1, 1)}" })
}

output "cidr_blocks" {
  value = local.cidr_blocks
}

output "ids" {
  value = [for subnet in aws_subnet.zone : subnet.id]
}
