resource "terraform_data" "a" {
  input = {
    multi = "a\nb"
    json  = jsonencode({ a = [1, 2], b = { c = null } })
    jl    = jsonencode([1, "x"])
    quote = "a\"b\\c\t"
    empty = ""
    num   = 1.5
    big   = 123456789012345678901234567890
    el    = []
    em    = {}
    "a b" = 1
    "é"   = 2
    h     = "$${x}"
    trail = "x\n"
  }
}
resource "terraform_data" "b" { input = "multi\nline" }
resource "terraform_data" "c" { input = jsonencode({ a = 1 }) }
resource "terraform_data" "e" { input = "" }
output "m" { value = "a\nb" }
output "j" { value = jsonencode({ a = 1 }) }
output "e" { value = "" }
output "el" { value = [] }
output "eo" { value = {} }
