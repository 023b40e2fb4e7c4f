resource "terraform_data" "c" {
  count = 3
  input = []
  triggers_replace = "2"
  lifecycle {
    create_before_destroy = false
  }
}
resource "terraform_data" "d" {
  count = 1
  input = []
  triggers_replace = "2"
  lifecycle {
    create_before_destroy = false
  }
}
output "oc" {
 value = terraform_data.c
}
output "od" {
 value = terraform_data.d
}
