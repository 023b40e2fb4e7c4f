# Outputs of other root modules, from state files of the local backend. Paths start at the root module, in other modules too.

data "terraform_remote_state" "network" {
  backend = "local"
  config  = { path = "states/network.json" }
}

data "terraform_remote_state" "workspace" {
  backend   = "local"
  workspace = "other"
  config    = { path = "ignored.json", workspace_dir = "states" }
}

data "terraform_remote_state" "defaults" {
  backend = "local"
  config  = tomap({ path = "states/network.json" })
  defaults = {
    name  = "default"
    extra = [1, "two"]
  }
}

module "inner" {
  source = "./m"
}

output "network" { value = data.terraform_remote_state.network.outputs }
output "zones" { value = [for zone in data.terraform_remote_state.network.outputs.zones : upper(zone)] }
output "workspace" { value = data.terraform_remote_state.workspace.outputs.name }
output "defaults" { value = data.terraform_remote_state.defaults.outputs }
output "absent" { value = try(data.terraform_remote_state.network.outputs.absent, "absent") }
output "inner" { value = module.inner.name }
