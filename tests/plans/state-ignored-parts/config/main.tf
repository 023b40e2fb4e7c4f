resource "terraform_data" "a" {
  input = { a = 5, b = { c = 6, d = 7 }, l = [1, 9] }
  lifecycle { ignore_changes = [input.b.c] }
}
resource "terraform_data" "t" {
  input = tomap({ a = 5, b = 6 })
  lifecycle { ignore_changes = [input["a"]] }
}
# The recorded map has no such key.
resource "terraform_data" "absent" {
  input = tomap({ a = "5", b = "6" })
  lifecycle { ignore_changes = [input["a"]] }
}
resource "terraform_data" "index" {
  input = [5, 6, 7]
  lifecycle { ignore_changes = [input[1]] }
}
# The recorded list is shorter.
resource "terraform_data" "index_of_list" {
  input = tolist(["c", "d", "e"])
  lifecycle { ignore_changes = [input[1], input[2]] }
}
resource "terraform_data" "null_before" {
  input = tomap({ a = "5" })
  lifecycle { ignore_changes = [input["a"]] }
}
resource "terraform_data" "null_now" {
  input = null
  lifecycle { ignore_changes = [input["a"]] }
}
# The configured map has no such key.
resource "terraform_data" "removed" {
  input = tomap({ b = "6" })
  lifecycle { ignore_changes = [input["a"]] }
}
resource "terraform_data" "nested" {
  input = [{ a = tomap({ x = 5, y = 6 }) }]
  lifecycle { ignore_changes = [input[0].a["x"]] }
}
