terraform {
  required_providers {
    demo = { source = "example.test/acme/demo" }
  }
}
variable "in" {
  type = object({ name = string, i = number })
}
resource "demo_full" "r" {
  name = var.in.name
  size = var.in.i
}
data "demo_lookup" "d" {
  name = demo_full.r.id
}
output "r" {
  value = demo_full.r
  sensitive = false
}
output "d" {
  value = data.demo_lookup.d.list
}
