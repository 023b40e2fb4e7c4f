variable "roles" {
  default = ["a", "b"]
}
provider "demo" {
  region = upper("r")
  nested = { a = "x" }
  dynamic "assume" {
    for_each = var.roles
    content {
      role = assume.value
    }
  }
  assume {
    role  = "static"
    tries = 2
  }
}
provider "demo" {
  alias = "late"
  token = demo_full.a.id
}
resource "demo_full" "a" {
  name = "x"
}
resource "demo_full" "b" {
  provider = demo.late
  name     = "y"
}
data "demo_lookup" "d" {
  provider = demo.late
  name     = demo_full.b.name
  depends_on = [demo_full.a]
}
