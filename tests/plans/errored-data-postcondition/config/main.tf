data "terraform_remote_state" "before" {
  backend = "local"
  config  = { path = "${path.module}/other.tfstate" }
  lifecycle {
    precondition {
      condition     = path.module == "x"
      error_message = "not read"
    }
  }
}
data "terraform_remote_state" "after" {
  count   = 2
  backend = "local"
  config  = { path = "${path.module}/other.tfstate" }
  lifecycle {
    postcondition {
      condition     = self.outputs.x == count.index
      error_message = "read"
    }
  }
}
data "terraform_remote_state" "dependent" {
  backend = "local"
  config  = { path = "${path.module}/other.tfstate", workspace_dir = data.terraform_remote_state.after[1].backend }
  lifecycle {
    postcondition {
      condition     = self.outputs.x == 2
      error_message = "not read"
    }
  }
}
check "scoped" {
  data "terraform_remote_state" "checked" {
    backend = "local"
    config  = { path = "${path.module}/other.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.checked.outputs.x == 2
    error_message = "other"
  }
}
