module "b" {
  source = "./m"
  for_each = { "one" = 1 }
}
moved {
  from = module.a
  to   = module.b["one"]
}
moved {
  from = terraform_data.x
  to   = terraform_data.y
}
moved {
  from = terraform_data.single
  to   = terraform_data.single[0]
}
resource "terraform_data" "y" {
  count = 1
  input = count.index
}
resource "terraform_data" "single" { 
  count = 1
  input = "changed" 
}
