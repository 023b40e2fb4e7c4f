resource "terraform_data" "z" {}
resource "terraform_data" "new" {}
resource "terraform_data" "a" { depends_on = [terraform_data.new] }
module "m" { 
  source = "./m" 
  x = terraform_data.a.id
  y = "k2"
  depends_on = [terraform_data.new]
}
resource "terraform_data" "after" { input = module.m.o }
resource "terraform_data" "after_all" { depends_on = [module.m] }
