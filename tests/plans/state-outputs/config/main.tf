output "a" { value = 2 }
output "b" { value = { x = [1, 3], z = "s" } }
output "new" { value = [1, { a = null }] }
output "sens" { 
  value = "y" 
  sensitive = true
}
output "becomes" { 
  value = "x" 
  sensitive = true
}
output "nul" { value = null }
output "type" { value = toset(["a"]) }
