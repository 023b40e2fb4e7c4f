variable "v" { default = 3 }
resource "terraform_data" "ok" { input = 1 }
resource "terraform_data" "bad" {
  input = 2
  lifecycle {
    precondition {
      condition = var.v == 4
      error_message = "bad v"
    }
  }
}
resource "terraform_data" "after" { input = terraform_data.bad.output }
output "o" { value = terraform_data.bad.id }
output "k" { value = terraform_data.ok.id }
