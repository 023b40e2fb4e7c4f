variable "n" {
  type = number
  default = 5
  validation {
    condition = var.n > 3
    error_message = "n"
  }
  validation {
    condition = var.n > length(var.s)
    error_message = "n must be greater than ${length(var.s)}"
  }
}
variable "s" {
  type = string
  default = "short"
  validation {
    condition = length(var.s) > 10
    error_message = "Too short: ${var.s}"
  }
}
variable "ok" {
  default = "x"
  validation {
    condition = can(regex("x", var.ok))
    error_message = "bad"
  }
}
module "m" {
  source = "./m"
  for_each = toset(["a", "b"])
  v = each.key
}
resource "terraform_data" "x" { input = var.n }
