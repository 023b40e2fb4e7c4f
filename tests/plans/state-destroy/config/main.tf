variable "size" {
  default = 2
  validation {
    condition     = var.size > 0
    error_message = "The size is negative."
  }
}
resource "terraform_data" "checked" {
  input = var.size
  lifecycle {
    precondition {
      condition     = var.size == 1
      error_message = "The size is not 1."
    }
  }
}
removed {
  from = terraform_data.gone
  lifecycle {
    destroy = false
  }
}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
resource "terraform_data" "new" {
  input = 3
}
resource "terraform_data" "more" {
  count = var.size
}
resource "terraform_data" "secret" {
  triggers_replace = { password = sensitive("hunter2"), user = "u" }
}
resource "terraform_data" "each" {
  for_each = toset(["other"])
  input    = terraform_data.checked.output
}
module "m" {
  source = "./m"
}
check "size" {
  assert {
    condition     = var.size == 1
    error_message = "The size is not 1."
  }
}
output "size" {
  value = terraform_data.checked.output
  precondition {
    condition     = var.size == 1
    error_message = "The size is not 1."
  }
}
output "password" {
  value     = terraform_data.secret.triggers_replace.password
  sensitive = true
}
output "each" {
  value = { for key, one in terraform_data.each : key => one.id }
}
output "m" {
  value = module.m.x
}
output "added" {
  value = 1
}
