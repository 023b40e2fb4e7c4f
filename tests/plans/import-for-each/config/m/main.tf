variable "in" {}
resource "terraform_data" "in" {
  input = var.in
  lifecycle {
    postcondition {
      condition     = self.id != "2"
      error_message = "two"
    }
  }
}
output "id" { value = terraform_data.in.id }
