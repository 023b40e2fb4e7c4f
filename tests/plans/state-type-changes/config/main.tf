resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" { input = "s" }
resource "terraform_data" "c" { input = tomap({ a = 1 }) }
resource "terraform_data" "d" { input = toset(["a"]) }
resource "terraform_data" "e" { input = null }
resource "terraform_data" "f" { triggers_replace = 1 }
resource "terraform_data" "g" { triggers_replace = null }
output "a" { value = 1 }
output "b" { value = { x = 1 } }
