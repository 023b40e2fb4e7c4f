variable "name" {
  type = string
}

variable "ports" {
  type     = list(number)
  default  = [1]
  nullable = false
}

output "unit" {
  value = templatefile("${path.module}/unit.tftpl", { name = var.name, ports = var.ports })
}
