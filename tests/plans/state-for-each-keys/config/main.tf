resource "terraform_data" "a" {
  for_each = { x = "x", y = "changed", new = "n", "q\"u" = "q\"u" }
  input    = each.value
}
