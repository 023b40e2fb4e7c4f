variable "n" { default = 9 }
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    postcondition {
      condition     = self.output == 2
      error_message = "is not two"
    }
  }
}
resource "terraform_data" "b" {
  for_each = toset(["x"])
  input    = terraform_data.a.id
}
resource "terraform_data" "free" {
  count = 1
  input = count.index
}
resource "terraform_data" "counted" { count = [1][var.n] }
resource "terraform_data" "behind_counted" { input = terraform_data.counted[0].id }
module "m" {
  source   = "./m"
  for_each = toset(["x"])
  value    = terraform_data.a.id
}
module "counted" {
  source = "./m"
  count  = [1][var.n]
  value  = 1
}
