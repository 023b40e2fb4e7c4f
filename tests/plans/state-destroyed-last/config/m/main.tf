resource "terraform_data" "c" {
  count = 1
  input = []
  triggers_replace = "1"
  lifecycle {
    create_before_destroy = false
  }
}
resource "terraform_data" "d" {
  count = 3
  input = [terraform_data.c[*].id]
  triggers_replace = "2"
  lifecycle {
    create_before_destroy = true
  }
}
output "oc" {
 value = terraform_data.c
}
output "od" {
 value = terraform_data.d
}
