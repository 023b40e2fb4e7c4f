resource "terraform_data" "had" { input = 1 }
import {
  to = terraform_data.new
  id = "the-id"
}
import {
  to = terraform_data.had
  id = "other"
}
resource "terraform_data" "new" { input = "x" }
resource "terraform_data" "each" { 
  for_each = toset(["a", "b"])
  input = each.key 
  triggers_replace = each.key
}
import {
  for_each = { a = "id-a" }
  to = terraform_data.each[each.key]
  id = each.value
}
output "i" { value = terraform_data.new.id }
