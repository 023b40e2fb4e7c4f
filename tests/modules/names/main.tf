# Consistent names: a module called with `for_each` that fills in what a caller leaves out.

locals {
  environments = {
    prod    = { stage = "production", delimiter = "-" }
    staging = { stage = "staging" }
    dev     = {}
  }
}

module "label" {
  source   = "./label"
  for_each = local.environments

  namespace = "Acme"
  settings  = each.value
  tags      = { Environment = each.key }
}

output "ids" {
  value = { for name, label in module.label : name => label.id }
}

output "tags" {
  value = module.label["prod"].tags
}

output "all" {
  value = values(module.label)[*].parts
}

output "secret" {
  value     = module.label["dev"].token
  sensitive = true
}

output "nothing" {
  value = null
}

variable "absent" {
  type    = string
  default = null
}

output "absent" {
  value = var.absent
}
