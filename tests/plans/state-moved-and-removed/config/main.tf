module "once" {
  source = "./m"
}
module "counted" {
  source = "./m"
  count  = 2
}
resource "terraform_data" "of_once" {
  input      = 1
  depends_on = [module.once]
}
resource "terraform_data" "of_counted" {
  input = length(module.counted)
}
resource "terraform_data" "of_output" {
  input = module.once.constant
}
resource "terraform_data" "last" {
  for_each = toset(["a", "b"])
  input    = "moves"
}
resource "terraform_data" "many" {
  count = 1
  input = "moves, too"
}
moved {
  from = terraform_data.second[1]
  to   = terraform_data.last["b"]
}
moved {
  from = terraform_data.second[0]
  to   = terraform_data.last["a"]
}
moved {
  from = terraform_data.one
  to   = terraform_data.many[0]
}
moved {
  from = terraform_data.first
  to   = terraform_data.second
}
moved {
  from = terraform_data.alone
  to   = terraform_data.one
}
