resource "terraform_data" "a" { input = jsonencode([2, { a = "c", z = null }, 1]) }
resource "terraform_data" "b" { input = "not json any more" }
resource "terraform_data" "c" { input = "{ \"a\" :1 }" }
resource "terraform_data" "d" { input = "[1,2]" }
resource "terraform_data" "e" { input = jsonencode({ big = 12345678901234567891, f = 1.5, g = { h = [] } }) }
resource "terraform_data" "f" { input = jsonencode({ a = {} }) }
