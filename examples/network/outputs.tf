output "prefix" {
  value = local.prefix
}

output "subnets" {
  description = "The address range of every subnet, by tier and zone."
  value       = { for tier, subnets in module.subnets : tier => subnets.cidr_blocks }
}

output "public_ranges" {
  value = flatten([for tier in local.public_tiers : values(module.subnets[tier].cidr_blocks)])
}

output "instance_count" {
  value = local.instance_count
}

output "firewall" {
  description = "The rules as a person would read them."
  value       = templatefile("${path.module}/firewall.tftpl", { rules = local.rules })
}

output "tags" {
  value = local.tags
}

output "vpc_id" {
  description = "Known only after the network was created."
  value       = aws_vpc.main.id
}

output "vpc_range" {
  description = "Known already: the configuration sets it."
  value       = aws_vpc.main.cidr_block
}

output "database_url" {
  value     = "postgres://app:${var.database_password}@${local.prefix}-data.internal:5432/app"
  sensitive = true
}
