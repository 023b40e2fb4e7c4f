variable "v" {
  type = string
  default = null
}
variable "n" { default = 0 }
resource "terraform_data" "r" {
  input = upper(var.v)
  lifecycle {
    postcondition {
      condition = terraform.workspace == "default"
      error_message = "p"
    }
    precondition {
      condition = terraform.workspace == "default"
      error_message = "p"
    }
  }
}
resource "terraform_data" "rx" {
  input = upper(var.v)
  lifecycle {
    postcondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
  }
}
resource "terraform_data" "many" {
  count = 3
  input = upper(var.v)
  lifecycle {
    postcondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
    precondition {
      condition = terraform.workspace == "default"
      error_message = "p"
    }
  }
}
resource "terraform_data" "one" {
  count = 3
  input = count.index == 1 ? upper(var.v) : "a"
  lifecycle {
    postcondition {
      condition = terraform.workspace == "default"
      error_message = "p"
    }
  }
}
resource "terraform_data" "one_false" {
  count = 3
  input = count.index == 1 ? upper(var.v) : "a"
  lifecycle {
    postcondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
  }
}
data "terraform_remote_state" "s" {
  backend = upper(var.v)
  lifecycle {
    postcondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
    precondition {
      condition = terraform.workspace == "default"
      error_message = "p"
    }
  }
}
resource "terraform_data" "r0" { count = 0 }
resource "terraform_data" "triggered" {
  lifecycle {
    replace_triggered_by = [terraform_data.r0[0]]
    postcondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
    precondition {
      condition = terraform.workspace == "default"
      error_message = "p"
    }
  }
}
resource "terraform_data" "triggered_whole" {
  lifecycle {
    replace_triggered_by = [terraform_data.r0]
    postcondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
    precondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
  }
}
resource "terraform_data" "behind" {
  input = terraform_data.r.id
  lifecycle {
    postcondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
    precondition {
      condition = terraform.workspace == "x"
      error_message = "p"
    }
  }
}
