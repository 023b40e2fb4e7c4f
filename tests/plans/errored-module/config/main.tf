module "m" {
  source = "./m"
  n = 3
}
module "other" {
  source = "./m"
  n = 4
}
resource "terraform_data" "x" { input = module.m.o }
resource "terraform_data" "y" { input = module.other.o }
resource "terraform_data" "z" { depends_on = [module.m] }
resource "terraform_data" "w" { 
  count = 2
  input = count.index
  lifecycle {
    precondition {
      condition = count.index == 0
      error_message = "no 1"
    }
  }
}
output "w0" { value = terraform_data.w[0].input }
output "all" { value = module.m }
