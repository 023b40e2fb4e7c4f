resource "terraform_data" "a" { input = [{ n = "b", p = 2 }, { n = "c", p = 4 }, { n = "d", p = 5 }] }
resource "terraform_data" "b" { input = toset(["b", "c", "d"]) }
resource "terraform_data" "c" { input = { a = "x\nyy\nz", j = jsonencode({ a = 2, b = [1, 3] }), n = "v" } }
resource "terraform_data" "d" { input = ["b", "c", "x", "e", "f"] }
resource "terraform_data" "e" { input = tomap({ a = { x = 1, y = 3 }, c = { x = 1, y = 2 } }) }
resource "terraform_data" "f" { input = "line1\nline2 changed\nline3" }
resource "terraform_data" "g" { input = [[1, 2, 3], [3], [4]] }
