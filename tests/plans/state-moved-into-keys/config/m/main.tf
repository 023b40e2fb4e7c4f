resource "terraform_data" "r2" { input = "r" }
moved {
  from = terraform_data.r
  to   = terraform_data.r2
}
resource "terraform_data" "q" { 
  for_each = toset(["k", "x\"y"])
  input = each.key 
}
moved {
  from = terraform_data.q["l m"]
  to   = terraform_data.q["x\"y"]
}
