resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.output
}
resource "terraform_data" "c" {
  for_each         = toset(["k", "l"])
  input            = each.key
  triggers_replace = each.key == "k" ? 5 : 4
}
resource "terraform_data" "first" {
  input = 1
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "triggered" {
  input = 1
  lifecycle {
    replace_triggered_by = [terraform_data.first]
  }
}
resource "terraform_data" "ignored" {
  input = "new"
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "tainted" {
  input = 1
}
resource "terraform_data" "same" {
  input = 1
}
module "m" {
  source = "./m"
}
data "terraform_remote_state" "late" {
  backend    = "local"
  config     = { path = "m/empty.tfstate" }
  depends_on = [terraform_data.first]
}
output "id" {
  value = terraform_data.a.id
}
output "b" {
  value = terraform_data.b[*].output
}
resource "terraform_data" "new" {
  input = 1
}
