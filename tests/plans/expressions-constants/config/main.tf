locals { a = 1 }
output "a" { value = 1 + 2 }
output "b" { value = [for x in [1,2,3] : x * 2 if x > 1] }
output "c" { value = "a${1 + 1}b" }
output "d" { value = true ? "x" : "y" }
output "e" { value = [1, upper("x")] }
output "f" { value = {a = null, b = [] , c = {}} }
output "g" { value = -5 }
output "h" { value = [1,2][0] }
output "i" { value = {a = {b = 1}}.a.b }
output "j" { value = [{a=1},{a=2}][*].a }
output "k" {
  value = <<T
line ${local.a}
T
}
output "l" { value = "%{ if true }x%{ endif }" }
output "m" { value = path.module }
output "n" { value = terraform.workspace }
output "o" { value = 0.1 + 0.2 }
output "p" { value = local.a == 1 ? local.a : null }
output "q" { value = (local.a) }
output "r" { value = { for k, v in {x=local.a} : k => v } }
output "s" { value = "\u00e9<>&\"\n" }
output "t" { value = 1.0 }
output "u" { value = 1e3 }
output "v" { value = local.a }
output "w" { value = try(local.a, path.cwd != "" ? 1 : 2) }
