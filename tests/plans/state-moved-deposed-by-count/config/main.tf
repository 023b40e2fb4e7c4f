resource "terraform_data" "counted" {
  count = 1
  input = "x"
}

resource "terraform_data" "single" {
  input = "x"
}

resource "terraform_data" "none" {
  count = 0
}

resource "terraform_data" "blocked" {
  count = 1
  input = "x"
}
