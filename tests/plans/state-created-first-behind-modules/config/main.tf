variable "trigger" { default = 2 }
resource "terraform_data" "variable" { triggers_replace = var.trigger }
resource "terraform_data" "local" { triggers_replace = var.trigger }
resource "terraform_data" "check" { triggers_replace = var.trigger }
resource "terraform_data" "call" { triggers_replace = var.trigger }
resource "terraform_data" "inner" { triggers_replace = var.trigger }
module "waited_for" {
  source   = "./module"
  unused   = terraform_data.variable.id
  of_local = terraform_data.local.id
  of_check = terraform_data.check.id
  of_call  = terraform_data.call.id
  inside   = terraform_data.inner.id
}
resource "terraform_data" "depends" {
  depends_on = [module.waited_for]
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "other" { triggers_replace = var.trigger }
module "read" {
  source = "./module"
  unused = terraform_data.other.id
}
resource "terraform_data" "reads" {
  input = module.read
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "free" { triggers_replace = var.trigger }
module "not_read" {
  source = "./module"
  unused = terraform_data.free.id
}
resource "terraform_data" "reads_output" {
  input = module.not_read.constant
  lifecycle { create_before_destroy = true }
}
