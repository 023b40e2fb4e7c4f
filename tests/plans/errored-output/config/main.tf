variable "v" { default = 3 }
resource "terraform_data" "ok" { input = 1 }
output "o" {
  value = var.v
  precondition {
    condition = var.v == 4
    error_message = "bad v"
  }
}
output "p" { value = terraform_data.ok.input }
