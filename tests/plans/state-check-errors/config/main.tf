resource "terraform_data" "a" { input = 1 }
check "x" {
  assert {
    condition = terraform_data.a.output == 2
    error_message = "got ${terraform_data.a.output}"
  }
  assert {
    condition = terraform_data.a.output.foo == 2
    error_message = "bad"
  }
}
