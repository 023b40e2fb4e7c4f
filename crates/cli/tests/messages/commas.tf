locals {
  names = [
    "a"
    "b",
  ]
  sizes = [1 2]
  total = max(1 2)
  tags  = { Name = "a" Size = "b" }
  zones = ["a", "b"

  region = "eu"
  range = cidrsubnet("10.0.0.0/8", 8

  id = one(aws_vpc.main[*.id)
}
