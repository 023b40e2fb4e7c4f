module "inner" { source = "../m/inner" }
output "constant" { value = "k" }
