resource "terraform_data" "a" { 
  input = { a = 5, b = { c = 6, d = 7 }, l = [1, 9] } 
  lifecycle { ignore_changes = [input.b.c] }
}
resource "terraform_data" "t" { 
  input = tomap({ a = 5, b = 6 }) 
  lifecycle { ignore_changes = [input["a"]] }
}
