variable "tok" {
  type      = string
  ephemeral = true
}
output "tok" {
  value     = var.tok
  ephemeral = true
}
output "safe" {
  value = ephemeralasnull({ a = var.tok, b = 1 })
}
