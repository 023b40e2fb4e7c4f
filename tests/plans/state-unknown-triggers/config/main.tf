resource "terraform_data" "a" { triggers_replace = "2" }
resource "terraform_data" "b" { 
  input = "y"
  triggers_replace = { id = terraform_data.a.id, k = "v" }
}
resource "terraform_data" "c" { triggers_replace = "now" }
resource "terraform_data" "d" {}
