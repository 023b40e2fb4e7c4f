variable "s" { 
  default = "x" 
  sensitive = true
  nullable = false
}
variable "o" {
  type = object({ a = string, b = optional(string) })
  default = { a = "q" }
}
resource "terraform_data" "a" { 
  input = [var.s, "p", { k = var.s, l = 1 }, toset([var.s, "b"]), { (var.s) = 1 }]
}
resource "terraform_data" "b" { input = terraform_data.a.input }
resource "terraform_data" "c" { 
  for_each = nonsensitive(toset([var.s]))
  input = each.key
}
output "x" { 
  value = [var.s, terraform_data.a.id]
  sensitive = true
}
output "y" { value = nonsensitive(var.s) }
output "z" { value = var.o }
output "w" {
 value = { a = sensitive("k"), b = 1 }
 sensitive = true
}
