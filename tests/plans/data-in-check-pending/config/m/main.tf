check "c" {
  data "terraform_remote_state" "r" {
    backend = "local"
    config  = { path = "${path.module}/r.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.r.outputs.o == 1
    error_message = "no"
  }
}
