terraform {
  required_providers {
    demo = { source = "example.test/acme/demo" }
  }
}
