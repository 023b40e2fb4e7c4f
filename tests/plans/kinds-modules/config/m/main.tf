terraform {
  required_providers {
    demo = {
      source  = "example.test/acme/demo"
      version = ">= 0.0"
    }
  }
}
variable "name" {}
resource "demo_full" "x" {
  name = var.name
  meta = { owner = var.name }
}
resource "demo_blocks" "y" {
  count = 2
  name  = "${var.name}-${count.index}"
  two {
    v = demo_full.x.meta.code
  }
}
output "id" {
  value = demo_full.x.id
}
output "meta" {
  value = { owner = demo_full.x.meta.owner, pin = demo_full.x.meta.code }
}
