resource "terraform_data" "x" {
  input = "b"
}
data "terraform_remote_state" "pending" {
  backend    = "local"
  config     = { path = "one.tfstate" }
  depends_on = [terraform_data.x]
}
data "terraform_remote_state" "now" {
  backend = "local"
  config  = { path = "one.tfstate" }
}
check "c" {
  data "terraform_remote_state" "checked" {
    backend = "local"
    config  = { path = "one.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.checked.outputs.id != ""
    error_message = "no"
  }
}
