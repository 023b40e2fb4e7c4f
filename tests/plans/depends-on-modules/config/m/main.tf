variable "unused" { 
  default = null
  sensitive = true
  type = object({a=optional(number,2)})
}
resource "terraform_data" "in" { input = { a = 1.50, b = 1e10, c = 100000000000000000000000 } }
output "x" { value = terraform_data.in.output }
