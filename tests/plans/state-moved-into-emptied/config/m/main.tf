resource "terraform_data" "q" {}
resource "terraform_data" "r" {}
