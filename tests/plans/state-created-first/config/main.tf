resource "terraform_data" "a" {
  input = "a"
  triggers_replace = 2
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "dep" {
  triggers_replace = [3, 1]
}
resource "terraform_data" "b" {
  input = terraform_data.dep.id
  triggers_replace = 2
  lifecycle { create_before_destroy = true }
}
