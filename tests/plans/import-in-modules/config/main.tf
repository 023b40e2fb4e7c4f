variable "s" {
  default   = "sec"
  sensitive = true
}
import {
  to = terraform_data.a
  id = "plain"
}
resource "terraform_data" "b" { input = 1 }
resource "terraform_data" "a" {
  input = "x"
  lifecycle {
    replace_triggered_by = [terraform_data.b]
  }
}
resource "terraform_data" "k" {
  input = var.s
}
import {
  to = terraform_data.k
  id = "kk"
}
locals { id = "from-local" }
import {
  to = module.m["x"].terraform_data.in[0]
  id = local.id
}
module "m" {
  source   = "./m"
  for_each = toset(["x"])
}
output "a" {
  value = terraform_data.a.id
}
output "m" { value = module.m["x"].id }
resource "terraform_data" "del" {
  triggers_replace = 1
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "cbd" {
  triggers_replace = 1
  lifecycle {
    create_before_destroy = true
  }
}
import {
  to = terraform_data.cbd
  id = "cbd"
}
