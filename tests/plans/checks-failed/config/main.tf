variable "v" { default = 3 }
check "c" {
  assert {
    condition = var.v == 4
    error_message = "v is ${var.v}"
  }
  assert {
    condition = var.v == 3
    error_message = "never"
  }
}
module "m" {
  source = "./m"
  for_each = { a = 1, b = 20 }
  n = each.value
}
