variable "empty" {
  description = ""
  default     = -0
}
variable "described" {
  description = " "
  default     = -0
}
resource "terraform_data" "same" { input = 0 }
resource "terraform_data" "list" { input = [1, 0] }
resource "terraform_data" "trigger" { triggers_replace = 0 }
resource "terraform_data" "new" { input = [-0, var.empty] }
resource "terraform_data" "of_same" {
  lifecycle { replace_triggered_by = [terraform_data.same] }
}
output "kept" {
  description = ""
  value       = 0
}
output "new" {
  description = "a zero"
  value       = -0
}
