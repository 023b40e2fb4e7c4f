variable "namespace" {
  type = string
}

variable "settings" {
  type = object({
    stage     = optional(string, "dev")
    delimiter = optional(string, "/")
    limits    = optional(object({ length = optional(number, 12) }), {})
  })
}

variable "tags" {
  type    = map(string)
  default = {}
}

locals {
  parts = compact([lower(var.namespace), var.settings.stage, ""])
  full  = join(var.settings.delimiter, local.parts)
  id    = length(local.full) > var.settings.limits.length ? substr(local.full, 0, var.settings.limits.length) : local.full
  tags = merge(
    { for key, value in var.tags : title(key) => value },
    { Name = local.id },
  )
}

output "id" {
  value = local.id
}

output "parts" {
  value = local.parts
}

output "tags" {
  value = local.tags
}

output "token" {
  value = sensitive("${local.id}-token")
}
