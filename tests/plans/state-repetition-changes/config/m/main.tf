resource "terraform_data" "i" { input = 1 }
