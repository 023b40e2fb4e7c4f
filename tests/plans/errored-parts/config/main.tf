variable "list" { default = ["a", "a"] }
variable "object" { default = { a = 1 } }
variable "nothing" { default = null }
locals {
  twice   = { for x in var.list : x => 1 }
  part    = [1, var.object ? 1 : 2]
  chosen  = { a = 1, b = [1][length(var.list)] }.a
  instead = try({ for x in var.list : x => 1 }, "instead")
}
resource "terraform_data" "each" { for_each = local.twice }
resource "terraform_data" "twice" { input = local.twice.a }
resource "terraform_data" "part" { input = local.part[0] }
resource "terraform_data" "own" { input = { a = 1, b = tonumber(var.list[0]) } }
resource "terraform_data" "discarded" { input = { a = 1, b = tonumber(var.list[0]) }.a }
resource "terraform_data" "unknown_key" { input = { (terraform_data.free.id) = upper(var.object) } }
resource "terraform_data" "null_key" { input = { a = 1, (var.nothing) = 2 } }
resource "terraform_data" "some" {
  count = 3
  input = { a = 1, b = [1, 2][count.index] }.a
}
resource "terraform_data" "behind_some" { input = terraform_data.some[0].id }
resource "terraform_data" "free" { input = local.instead }
module "m" {
  source = "./m"
  a      = { k = 1, (var.nothing) = 2 }
  b      = { k = tonumber(var.list[0]), j = 1 }
  c      = 1
}
output "twice" { value = { for i, x in var.list : x => i } }
output "keys" { value = keys(local.twice) }
output "inner" { value = [{ for x in var.list : x => 1 }] }
output "chosen" { value = local.chosen }
output "discarded" { value = { a = 1, b = tonumber(var.list[0]) }.a }
output "unknown" { value = [for x in ["a"] : upper(var.object) if terraform_data.free.id == ""] }
output "free" { value = terraform_data.free.input }
output "c" { value = module.m.c }
