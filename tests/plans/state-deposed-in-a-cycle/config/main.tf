resource "terraform_data" "base" {
  triggers_replace = 2
}

resource "terraform_data" "left" {
  triggers_replace = 2
  input            = terraform_data.base.id
}
