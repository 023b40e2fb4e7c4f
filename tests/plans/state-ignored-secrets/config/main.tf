variable "secret" {
  sensitive = true
  default   = "two"
}
resource "terraform_data" "secret" {
  input = { a = var.secret, b = 2 }
  lifecycle { ignore_changes = [input.a] }
}
resource "terraform_data" "secret_of_map" {
  input = tomap({ a = var.secret, b = "2" })
  lifecycle { ignore_changes = [input["a"]] }
}
