terraform {
  required_providers {
    demo = {
      source                = "example.test/acme/demo"
      configuration_aliases = [demo.main, demo.alt]
    }
  }
}
resource "demo_full" "m" {
  provider = demo.main
  name     = "m"
}
resource "demo_legacy" "a" {
  provider = demo.alt
  name     = demo_full.m.id
}
data "demo_lookup" "d" {
  provider   = demo.alt
  name       = "x"
  depends_on = [demo_full.m]
}
