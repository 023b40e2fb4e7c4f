resource "terraform_data" "bad" {
  input = 2
  lifecycle {
    postcondition {
      condition = self.input == 4
      error_message = "bad post"
    }
  }
}
resource "terraform_data" "after" { input = terraform_data.bad.input }
resource "terraform_data" "later" { depends_on = [terraform_data.bad] }
output "o" { value = terraform_data.bad.input }
output "k" { value = terraform_data.after.id }
