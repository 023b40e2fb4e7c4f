resource "demo_full" "a" {
  name = "n"
}
