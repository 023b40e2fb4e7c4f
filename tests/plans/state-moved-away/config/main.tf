moved {
  from = terraform_data.a
  to   = terraform_data.z
}
resource "terraform_data" "b" { 
  count = 0
  input = 1 
}
