resource "terraform_data" "new" { input = 1 }
resource "terraform_data" "text" {
  input = terraform_data.new.id
  lifecycle { ignore_changes = [input["q"]] }
}
resource "terraform_data" "map" {
  input = tomap({ q = terraform_data.new.id, r = "b" })
  lifecycle { ignore_changes = [input["q"]] }
}
resource "terraform_data" "dynamic" {
  input = jsondecode(terraform_data.new.id)
  lifecycle { ignore_changes = [input["q"]] }
}
resource "terraform_data" "deeper" {
  input = { m = terraform_data.new.id }
  lifecycle { ignore_changes = [input.m["q"], input.m.n] }
}
