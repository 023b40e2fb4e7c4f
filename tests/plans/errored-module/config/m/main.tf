variable "n" {}
resource "terraform_data" "in" { 
  input = var.n
  lifecycle {
    precondition {
      condition = var.n == 4
      error_message = "four"
    }
  }
}
resource "terraform_data" "other" {}
output "o" { value = terraform_data.in.output }
output "fine" { value = terraform_data.other.id }
