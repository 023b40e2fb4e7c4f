terraform {
  required_version = ">= 1.3"

  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

locals {
  prefix = "${var.project}-${var.environment}"

  tags = merge(
    { Project = title(var.project), Environment = var.environment },
    var.environment == "prod" ? { Backup = "daily" } : {},
  )

  public_tiers = [for name, tier in var.tiers : name if tier.public]

  # A rule without sources accepts the whole network.
  rules = {
    for name, tier in var.tiers : name => [
      for rule in tier.ingress : merge(rule, { from = coalesce(rule.from, [var.network.cidr_block]) })
    ]
  }

  instance_count = { dev = 1, staging = 2, prod = 3 }[var.environment] * length(var.network.zones)
}

module "subnets" {
  source   = "./modules/subnets"
  for_each = var.tiers

  name       = "${local.prefix}-${each.key}"
  cidr_block = var.network.cidr_block
  offset     = each.value.offset
  zones      = var.network.zones
  public     = each.value.public
  vpc_id     = aws_vpc.main.id
  tags       = merge(local.tags, { Tier = each.key })
}

resource "aws_vpc" "main" {
  cidr_block           = var.network.cidr_block
  enable_dns_hostnames = true
  tags                 = merge(local.tags, { Name = local.prefix })
}

resource "aws_security_group" "tier" {
  for_each = local.rules

  name   = "${local.prefix}-${each.key}"
  vpc_id = aws_vpc.main.id
  tags   = local.tags

  dynamic "ingress" {
    for_each = each.value

    content {
      description = ingress.value.description
      from_port   = ingress.value.port
      to_port     = ingress.value.port
      protocol    = ingress.value.protocol
      cidr_blocks = ingress.value.from
    }
  }
}
