resource "terraform_data" "kept" {}
moved {
  from = terraform_data.moved
  to   = terraform_data.unknown
}
