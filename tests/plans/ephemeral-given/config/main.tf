variable "token" {
  type      = string
  ephemeral = true
  default   = "tok"
}
variable "plain" {
  ephemeral = true
  sensitive = true
  type      = string
}
locals { t = "${var.token}-x" }
resource "terraform_data" "a" {
  input = "static"
  lifecycle {
    precondition {
      condition     = local.t == "tok-x"
      error_message = "bad"
    }
  }
}
module "m" {
  source = "./m"
  tok    = local.t
}
output "len" { value = ephemeralasnull(var.token) == null }
output "n" { value = ephemeralasnull(local.t) }
