variable "a" { default = null }
variable "o" { 
  type = object({ a = optional(string), b = optional(number, 3), c = optional(object({ d = optional(list(string), ["z"]) }), {}) }) 
  default = {}
}
resource "terraform_data" "n" { input = null }
resource "terraform_data" "o" { input = var.o }
output "null" { value = null }
output "var" { value = var.a }
output "list" { value = [null, null] }
output "o" { value = var.o }
output "n" { value = terraform_data.n.output }
output "n_in" { value = terraform_data.n.input }
output "sn" { 
  value = sensitive(null)
  sensitive = true
}
