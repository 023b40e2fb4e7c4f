variable "keys" {}

module "leaf" {
  source   = "../leaf"
  for_each = toset(var.keys)
  value    = each.value
}

resource "terraform_data" "branch" {
  for_each = toset(var.keys)
  input    = each.key
}
