resource "terraform_data" "a" { input = "y" }
resource "terraform_data" "b" { input = { id = terraform_data.a.id, l = [1, terraform_data.a.output], s = toset([terraform_data.a.output, "k"]) } }
resource "terraform_data" "c" { triggers_replace = terraform_data.a.output }
resource "terraform_data" "d" { input = "${terraform_data.a.output}-d" }
output "b" { value = terraform_data.b.output }
output "c" { value = terraform_data.b.input.l[0] }
