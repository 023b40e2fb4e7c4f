resource "terraform_data" "u" { }
resource "terraform_data" "s" { input = "1" }
resource "terraform_data" "n" { input = 1 }
resource "terraform_data" "b" { input = true }
resource "terraform_data" "l" { input = [1] }
resource "terraform_data" "o" { input = {x = 1} }
resource "terraform_data" "nl" { input = "x" }
resource "terraform_data" "sp" { input = "x" }
output "s" { value = terraform_data.u.id }
output "n" { value = terraform_data.u.id }
output "b" { value = terraform_data.u.id }
output "l" { value = terraform_data.u.id }
output "e" { value = terraform_data.u.id }
output "e2" { value = [terraform_data.u.id, "c", { x = terraform_data.u.id }] }
