resource "terraform_data" "a" {
  input = 1
  lifecycle {
    postcondition {
      condition     = self.input == 2
      error_message = "a fails"
    }
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a.input
  lifecycle {
    precondition {
      condition     = terraform_data.c.input == 1
      error_message = "b"
    }
  }
}
resource "terraform_data" "b2" {
  count = 2
  input = terraform_data.a.input
  lifecycle {
    precondition {
      condition     = terraform_data.c.input == 1
      error_message = "b"
    }
  }
}
resource "terraform_data" "c" {
  input = 1
  lifecycle {
    precondition {
      condition     = var.v == 1
      error_message = "c"
    }
  }
}
variable "v" {
  default = 1
  validation {
    condition     = var.v == 1
    error_message = "v"
  }
}
output "o" {
  value = terraform_data.a.input
  precondition {
    condition     = var.v == 1
    error_message = "o"
  }
}
output "p" {
  value = 1
  precondition {
    condition     = var.v == 1
    error_message = "o"
  }
}
check "behind" {
  assert {
    condition     = terraform_data.a.input == 1
    error_message = "x"
  }
}
check "free" {
  assert {
    condition     = terraform_data.c.input == 3
    error_message = "y"
  }
}
module "m" {
  source = "./m"
  x      = terraform_data.a.input
  y      = 1
}
module "n" {
  source   = "./m"
  for_each = toset(["k"])
  x        = 1
  y        = terraform_data.a.input
}
