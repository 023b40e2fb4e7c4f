variable "name" {}

variable "cidr" {}

output "name" {
  value = var.name
}

output "cidr" {
  value = var.cidr
}

output "hosts" {
  value = [for number in range(1, 4) : cidrhost(var.cidr, number)]
}
