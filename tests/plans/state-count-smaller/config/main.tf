resource "terraform_data" "a" {
  count = 3
  input = "n${count.index}"
}
resource "terraform_data" "single" { 
 count = 2
 input = 1 
}
resource "terraform_data" "many" { 
 input = 1 
}
