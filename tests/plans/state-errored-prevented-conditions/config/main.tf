variable "t" { default = 2 }
variable "p" { default = "default" }
resource "terraform_data" "kept" {
  triggers_replace = var.t
  lifecycle {
    prevent_destroy = true
    precondition {
      condition = terraform.workspace == var.p
      error_message = "p"
    }
    postcondition {
      condition = terraform.workspace == var.p
      error_message = "p"
    }
  }
}
resource "terraform_data" "kept2" {
  triggers_replace = var.t
  lifecycle {
    prevent_destroy = true
    postcondition {
      condition = terraform.workspace == "default" || tostring(var.t) == "1"
      error_message = "p"
    }
  }
}
resource "terraform_data" "kept3" {
  triggers_replace = var.t
  lifecycle {
    prevent_destroy = true
    postcondition {
      condition = terraform.workspace != "default" || tostring(var.t) == "1"
      error_message = "p"
    }
  }
}
