data "terraform_remote_state" "r" {
  backend = "local"
  config = { path = "one.tfstate" }
}
data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = "one.tfstate" }
}
resource "terraform_data" "a" {
  input = data.terraform_remote_state.r.outputs.id
}
