resource "terraform_data" "new" {
  input = "x"
}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
import {
  to = terraform_data.new
  id = "one"
}
