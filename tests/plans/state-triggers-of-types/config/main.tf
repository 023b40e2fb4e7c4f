locals {
  number = 1
  list   = tolist(["a"])
  map    = tomap({ a = "b" })
  set    = ["a"]
  empty  = {}
  null   = tostring(null)
  secret = sensitive("x")
  open   = "x"
  part   = { a = "x", b = sensitive("y") }
}
resource "terraform_data" "source" {
  for_each = {
    number = local.number, list = local.list, map = local.map, set = local.set, empty = local.empty, null = local.null,
    secret = local.secret, open = local.open, part = local.part
  }
  input = each.value
}
resource "terraform_data" "of" {
  for_each = toset(["number", "list", "map", "set", "empty", "null", "secret", "open", "part"])
  lifecycle { replace_triggered_by = [terraform_data.source[each.key]] }
}
resource "terraform_data" "of_input" {
  for_each = toset(["number", "list", "map", "set", "empty", "null", "secret", "open", "part"])
  lifecycle { replace_triggered_by = [terraform_data.source[each.key].input] }
}
resource "terraform_data" "of_part" {
  count = 4
  lifecycle {
    replace_triggered_by = [
      terraform_data.source["part"].input.a, terraform_data.source["list"].input[0], terraform_data.source["map"].input.nothing
    ]
  }
}
resource "terraform_data" "of_secret_part" {
  lifecycle { replace_triggered_by = [terraform_data.source["part"].input.b] }
}
