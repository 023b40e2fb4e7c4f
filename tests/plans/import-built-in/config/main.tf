import {
  to = terraform_data.a
  id = "the-id"
}
resource "terraform_data" "a" {
  input = "x"
}
resource "terraform_data" "b" {
  input            = terraform_data.a.id
  triggers_replace = "z"
}
import {
  for_each = { one = "i1", two = "i2" }
  to       = terraform_data.c[each.key]
  id       = each.value
}
resource "terraform_data" "c" {
  for_each = toset(["one", "two", "three"])
  input    = each.key
}
resource "terraform_data" "d" {
}
import {
  to = terraform_data.d
  id = "dd"
}
resource "terraform_data" "e" {
  triggers_replace = "q"
  input            = "e"
}
import {
  to = terraform_data.e
  id = "ee"
}
output "a" { value = terraform_data.a.id }
output "o" { value = terraform_data.a.output }
output "d" { value = terraform_data.d }
