resource "terraform_data" "a" {}
resource "terraform_data" "each" {
  for_each = toset([terraform_data.a.id])
  lifecycle {
    precondition {
      condition     = each.key != 1
      error_message = "x"
    }
  }
}
module "m" {
  source = "./m"
  count  = length(terraform_data.a.id)
  value  = 1
}
resource "terraform_data" "free" { input = 1 }
output "free" { value = terraform_data.free.input }
