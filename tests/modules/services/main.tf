# Text: templates, heredocs, encoders, and configuration read from files beside the module.

locals {
  services = yamldecode(file("${path.module}/services.yaml"))

  ports = merge([
    for name, service in local.services : {
      for port in try(service.ports, []) : "${name}-${port}" => port
    }
  ]...)

  by_tier = { for name, service in local.services : lookup(service, "tier", "none") => name... }
}

module "service" {
  source   = "./service"
  for_each = { for name, service in local.services : name => service if try(service.enabled, true) }

  name  = each.key
  ports = try(each.value.ports, null)
}

output "ports" {
  value = local.ports
}

output "by_tier" {
  value = local.by_tier
}

output "units" {
  value = { for name, service in module.service : name => service.unit }
}

output "json" {
  value = jsonencode({ services = keys(local.services), ports = local.ports })
}

output "motd" {
  value = <<-EOT
    Services:
    %{ for name in keys(local.services) ~}
      * ${title(name)}
    %{ endfor ~}
  EOT
}
