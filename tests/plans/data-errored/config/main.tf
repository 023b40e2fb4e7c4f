data "terraform_remote_state" "r" {
  backend = "local"
  config = { path = "${path.module}/other.tfstate" }
  depends_on = [terraform_data.a]
}
data "terraform_remote_state" "unknown" {
  backend = "local"
  config = { path = terraform_data.a.id }
}
data "terraform_remote_state" "after" {
  backend = "local"
  config = { path = "${path.module}/other.tfstate", x = data.terraform_remote_state.r.backend }
}
resource "terraform_data" "a" {}
output "r" { value = data.terraform_remote_state.r.outputs }
output "u" { value = data.terraform_remote_state.unknown.outputs }
