variable "n" { default = 2 }
resource "terraform_data" "failed" {
  lifecycle {
    precondition {
      condition     = var.n == 1
      error_message = "is not one"
    }
  }
}
module "depends" {
  source     = "./m"
  value      = 1
  depends_on = [terraform_data.failed]
}
module "free" {
  source = "./m"
  value  = 1
}
module "counted" {
  source = "./m"
  count  = [1][var.n]
  value  = 1
}
module "each" {
  source   = "./m"
  for_each = { a = [1][var.n] }
  value    = each.key
}
module "behind" {
  source = "./m"
  count  = length(terraform_data.failed.id)
  value  = 1
}
resource "terraform_data" "counted" { count = [1][var.n] }
resource "terraform_data" "each" {
  for_each = { a = [1][var.n], b = 1 }
  lifecycle {
    precondition {
      condition     = each.key == "a"
      error_message = "is not a"
    }
  }
}
resource "terraform_data" "reads" { input = module.counted[0].constant }
resource "terraform_data" "reads_each" { input = module.each["a"].constant }
resource "terraform_data" "reads_length" { input = length(module.counted) }
resource "terraform_data" "reads_resource" { input = try(terraform_data.each["b"].id, "none") }
resource "terraform_data" "after" { depends_on = [module.depends] }
resource "terraform_data" "after_free" { depends_on = [module.free] }
output "depends" { value = module.depends.constant }
output "free" { value = module.free.constant }
output "counted" { value = module.counted[*].constant }
