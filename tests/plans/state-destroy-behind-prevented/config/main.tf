data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "one.tfstate" }
}
resource "terraform_data" "z" {
  input = data.terraform_remote_state.r.outputs.id
}
resource "terraform_data" "a" {
  input = terraform_data.z.id
}
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.id
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "c" {
  input = terraform_data.b[0].id
}
resource "terraform_data" "other" {
}
output "o" {
  value = terraform_data.a.id
}
