resource "terraform_data" "a" { 
  for_each = toset(["a", "b"])
  input = 1 
}
resource "terraform_data" "b" { 
  for_each = toset(["a", "b"])
  input = 1 
}
resource "terraform_data" "c" { 
  count = 1
  input = 1 
}
resource "terraform_data" "d" { input = 1 }
