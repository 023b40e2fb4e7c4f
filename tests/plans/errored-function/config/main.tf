resource "terraform_data" "ok" { input = 1 }
resource "terraform_data" "bad" { input = element([], terraform_data.ok.input) }
output "p" { value = terraform_data.ok.input }
output "q" { value = terraform_data.bad.input }
