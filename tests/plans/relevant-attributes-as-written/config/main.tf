resource "terraform_data" "a" { input = { z = { j1 = 1, j2 = [1,2] } } }
resource "terraform_data" "b" { input = terraform_data.a.input.z["j1"] }
output "o" { value = terraform_data.a.input.z.j1 }
output "p" { value = terraform_data.a.input["z"].j1 }
output "q" { value = terraform_data.a.input.z.j2[0] }
output "q2" { value = terraform_data.a.input.z.j2[1] }
output "q3" { value = terraform_data.a.input.z["j2"][0] }
output "q4" { value = terraform_data.a.input.z["j2"].0 }
output "same" { value = terraform_data.a.input.z["j1"] }
output "bb" { value = [terraform_data.b.input, terraform_data.c["x"].id, terraform_data.c["x"].id] }
resource "terraform_data" "c" { for_each = toset(["x"]) }
