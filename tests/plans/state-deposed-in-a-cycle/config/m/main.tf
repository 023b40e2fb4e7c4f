resource "terraform_data" "x" {
  count = 2
  input = "m"
  lifecycle {
    postcondition {
      condition     = self.input == "m"
      error_message = "The input is not m."
    }
  }
}
output "x" {
  value = terraform_data.x[*].output
  precondition {
    condition     = length(terraform_data.x) == 2
    error_message = "There are not two."
  }
}
