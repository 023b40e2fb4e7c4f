resource "terraform_data" "one" {
  triggers_replace = 1
}

resource "terraform_data" "two" {
  triggers_replace = 1
}
