terraform {
  required_providers {
    demo = { source = "example.test/acme/demo" }
  }
}
variable "in" {}
module "b" {
  source = "./b"
  count  = 2
  in     = { name = var.in, i = count.index }
}
output "out" {
  value = module.b[*].r
}
