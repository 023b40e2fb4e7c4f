resource "terraform_data" "u" { }
resource "demo_legacy" "l" {
  name = "n"
  tags = { x = terraform_data.u.id, y = "" }
  zones = ["", terraform_data.u.id]
  labels = ["", "b"]
}
resource "demo_full" "a" {
  name = "n"
  auto_list = [terraform_data.u.id, "", null]
  auto_map = { x = terraform_data.u.id, y = "", z = null }
  shape = { a = terraform_data.u.id, b = 0, c = [terraform_data.u.id, "", null] }
}
