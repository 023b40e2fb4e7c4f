resource "terraform_data" "a" {
  input = local.la
  triggers_replace = "1"
  lifecycle {
    create_before_destroy = true
  }
}
module "m" {
  source = "./m"
}
locals {
  la = [module.m]
}
