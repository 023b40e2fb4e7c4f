resource "terraform_data" "part" {
  input = sensitive({ m = 2 })
  lifecycle { ignore_changes = [input.m] }
}
resource "terraform_data" "kept" {
  input = sensitive({ m = 1, n = 2 })
  lifecycle { ignore_changes = [input.m] }
}
resource "terraform_data" "marked_twice" {
  input = sensitive({ m = sensitive(1) })
}
resource "terraform_data" "no_longer_marked" {
  input = sensitive({ m = 1 })
}
resource "terraform_data" "newly_marked" {
  input = sensitive({ m = sensitive(1) })
}
resource "terraform_data" "element" {
  input = sensitive([2, { m = 3 }])
  lifecycle { ignore_changes = [input[0], input[1].m] }
}
resource "terraform_data" "of_map" {
  input = sensitive(tomap({ a = "2" }))
  lifecycle { ignore_changes = [input["a"]] }
}
resource "terraform_data" "triggers" {
  lifecycle { replace_triggered_by = [terraform_data.newly_marked.input] }
}
