resource "terraform_data" "a" { 
  for_each = toset(["0", "k"])
  input = each.key
}
resource "terraform_data" "b" { 
  count = 2
  input = "single"
}
resource "terraform_data" "c" { input = "now single" }
module "m" {
  source = "./m"
}
