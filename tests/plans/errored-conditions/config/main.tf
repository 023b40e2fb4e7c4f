variable "nothing" {
  type    = bool
  default = null
}
variable "number" { default = 5 }
variable "empty" {
  type    = bool
  default = null
  validation {
    condition     = var.empty
    error_message = "is null"
  }
}
variable "wrong" {
  default = 2
  validation {
    condition     = [1][var.wrong] == 1
    error_message = "no such element"
  }
}
variable "wrong_and_false" {
  default = 2
  validation {
    condition     = [1][var.wrong_and_false] == 1
    error_message = "no such element"
  }
  validation {
    condition     = var.wrong_and_false == 1
    error_message = "is not one"
  }
}
resource "terraform_data" "null" {
  lifecycle {
    precondition {
      condition     = var.nothing
      error_message = "x"
    }
    postcondition {
      condition     = self.input == 1
      error_message = "is not evaluated"
    }
  }
}
resource "terraform_data" "number" {
  count = 2
  lifecycle {
    precondition {
      condition     = count.index == 0 ? true : [var.number][count.index]
      error_message = "x"
    }
    postcondition {
      condition     = self.input == 1
      error_message = "of the first"
    }
  }
}
resource "terraform_data" "post" {
  lifecycle {
    postcondition {
      condition     = var.number
      error_message = "x"
    }
  }
}
resource "terraform_data" "behind" { input = terraform_data.null.id }
resource "terraform_data" "behind_post" { input = terraform_data.post.id }
resource "terraform_data" "free" { input = 1 }
check "list" {
  assert {
    condition     = [var.number]
    error_message = "x"
  }
}
check "text" {
  assert {
    condition     = "${var.number}x"
    error_message = "x"
  }
}
check "sensitive" {
  assert {
    condition     = sensitive(var.nothing)
    error_message = "x"
  }
}
check "several" {
  assert {
    condition     = var.nothing
    error_message = "x"
  }
  assert {
    condition     = var.number == 1
    error_message = "is not one"
  }
}
check "without_text" {
  assert {
    condition     = var.number == 1
    error_message = var.number == 1 ? "x" : ""
  }
}
output "number" {
  value = 1
  precondition {
    condition     = var.number
    error_message = "x"
  }
}
output "free" { value = terraform_data.free.input }
