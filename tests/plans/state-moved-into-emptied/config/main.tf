moved {
  from = terraform_data.x["k"]
  to   = terraform_data.a
}
moved {
  from = terraform_data.x["l"]
  to   = terraform_data.b
}
moved {
  from = terraform_data.y
  to   = terraform_data.x
}
moved {
  from = module.m.terraform_data.r
  to   = module.n.terraform_data.q
}
resource "terraform_data" "a" {}
resource "terraform_data" "b" {}
resource "terraform_data" "x" { count = 2 }
module "n" { source = "./m" }
