resource "terraform_data" "a" {
  count = 3
  input = []
  triggers_replace = "1"
  lifecycle {
    create_before_destroy = true
  }
}
module "m" {
  source = "./m"
}
