terraform {
  required_providers {
    tree = { source = "acme/tree", version = "~> 1.2" }
  }
  backend "local" {}
}
module "press" {
  source  = "acme/press/tree"
  version = "~> 2.0"
  rows    = 3
}
module "cellar" {
  source = "git::https://example.com/cellar.git"
  rows   = module.press.juice
}
resource "tree_oak" "a" {
  size = module.cellar.juice
}
output "juice" {
  value = tree_oak.a.size
}
