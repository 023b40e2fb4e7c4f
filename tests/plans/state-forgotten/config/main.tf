removed {
  from = terraform_data.a
  lifecycle { destroy = false }
}
removed {
  from = module.m
  lifecycle { destroy = true }
}
resource "terraform_data" "k" { input = 1 }
