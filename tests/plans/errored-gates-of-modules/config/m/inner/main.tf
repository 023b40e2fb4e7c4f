resource "terraform_data" "b" {}
check "d" {
  assert {
    condition     = terraform_data.b.input == null
    error_message = "has an input"
  }
}
