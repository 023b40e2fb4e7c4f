data "terraform_remote_state" "in" {
  backend = "local"
  config = { path = "${path.root}/other.tfstate" }
}
output "o" { value = data.terraform_remote_state.in.outputs.v }
