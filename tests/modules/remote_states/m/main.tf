data "terraform_remote_state" "network" {
  backend = "local"
  config  = { path = "states/network.json" }
}

output "name" { value = data.terraform_remote_state.network.outputs.name }
