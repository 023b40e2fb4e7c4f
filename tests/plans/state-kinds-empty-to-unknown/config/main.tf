resource "terraform_data" "u" { }
resource "demo_full" "a" {
  name = "n"
  shape = terraform_data.u.output
  deep = { k = { l = [terraform_data.u.id] } }
  members = [{ who = terraform_data.u.id, level = 1 }]
}
resource "demo_legacy" "l" {
  name = "n"
  tags = { x = terraform_data.u.id, y = terraform_data.u.id }
  zones = terraform_data.u.output
  labels = [terraform_data.u.id, "b"]
}
output "n" { value = [terraform_data.u.id, { x = terraform_data.u.id }] }
output "n2" { value = { a = terraform_data.u.id, b = 1, c = terraform_data.u.id } }
output "n3" { value = terraform_data.u.id }
