resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "chg" { input = "y" }
data "terraform_remote_state" "noop" {
  backend = "local"
  config = { path = "${path.module}/other.tfstate" }
  depends_on = [terraform_data.a]
}
data "terraform_remote_state" "noop2" {
  backend = "local"
  config = { path = "${path.module}/${terraform_data.a.output}.tfstate" }
}
data "terraform_remote_state" "chg" {
  backend = "local"
  config = { path = "${path.module}/other.tfstate" }
  depends_on = [terraform_data.chg]
}
data "terraform_remote_state" "chg2" {
  backend = "local"
  config = { path = "${path.module}/${terraform_data.chg.input == "y" ? "other" : "x"}.tfstate" }
}
data "terraform_remote_state" "cond" {
  backend = "local"
  config = { path = "${path.module}/other.tfstate" }
  lifecycle {
    postcondition {
      condition = self.outputs.v == terraform_data.a.output
      error_message = "no"
    }
  }
}
module "m" {
  source = "./m"
  depends_on = [terraform_data.chg]
}
module "n" {
  source = "./m"
  depends_on = [terraform_data.a]
}
output "o" { value = data.terraform_remote_state.noop.outputs }
output "p" { value = data.terraform_remote_state.chg2.outputs }
