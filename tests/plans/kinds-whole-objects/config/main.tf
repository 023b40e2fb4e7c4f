resource "demo_blocks" "a" {
  count = 2
  name  = "n"
  two {}
  opt {
    k = "x"
  }
  label "l" {
    text = "t"
  }
}
resource "terraform_data" "copy" {
  input = demo_blocks.a
}
resource "terraform_data" "part" {
  input            = demo_blocks.a[0].opt
  triggers_replace = [demo_blocks.a[1].label["l"].id, demo_blocks.a[0].one]
}
output "all" {
  value     = demo_blocks.a
  sensitive = true
}
output "labels" {
  value = demo_blocks.a[*].label
}
output "groups" {
  value = demo_blocks.a[0].all
}
