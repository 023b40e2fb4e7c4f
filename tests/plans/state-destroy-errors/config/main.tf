variable "size" {
  default = "large"
  validation {
    condition     = var.size != "large"
    error_message = "Large is too large."
  }
}

locals {
  number = tonumber(var.size)
}

resource "terraform_data" "argument" {
  input = local.number
}

resource "terraform_data" "counted" {
  count = local.number
}

resource "terraform_data" "checked" {
  input = "a"

  lifecycle {
    precondition {
      condition     = local.number > 1
      error_message = "Too small."
    }
  }
}

module "m" {
  source = "./m"
  size   = local.number
}

output "number" {
  value = local.number
}

output "input" {
  value = terraform_data.argument.input
}
