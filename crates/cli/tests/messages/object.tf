locals {
  tags = {
    Name = "main"
}

output "id" {
  value = 1
}
