variable "v" { default = null }
variable "text" { default = "x" }
module "m" {
  source = "./m"
  part   = ["a", upper(var.v == null ? tostring(null) : "a")]
  typed  = var.text
}
variable "refused" {
  default = 1
  validation {
    condition     = var.refused == 2
    error_message = "bad"
  }
}
module "none" {
  source = "./m"
  count  = 0
  part   = "a"
  typed  = 1
  fine   = var.refused
}
module "behind" {
  source = "./m"
  part   = "a"
  typed  = 1
  fine   = var.refused
}
