resource "demo_full" "a" {
  name = "x"
  meta = { owner = "o", pin = "p" }
  pools = { a = { min = 1 } }
  password_wo = "other"
}
resource "demo_blocks" "b" {
  two {}
  opt {
    k = "x"
  }
  auto {
    k = "y"
  }
  label "l" {}
}
output "id" {
  value = demo_full.a.id
}
