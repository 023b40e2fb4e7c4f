resource "terraform_data" "new" {
  input = "x"
}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
resource "terraform_data" "keyed" {
  for_each = toset(["to"])
  input    = each.key
}
moved {
  from = terraform_data.keyed["from"]
  to   = terraform_data.keyed["to"]
}
