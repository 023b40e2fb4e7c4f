resource "terraform_data" "none" {
  count = 0
}

resource "terraform_data" "of_none" {
  input = "a"
  lifecycle { replace_triggered_by = [terraform_data.none] }
}

resource "terraform_data" "dependent" {
  input = terraform_data.of_none.id
}

resource "terraform_data" "some" {
  for_each = toset(["k", "l"])
}

resource "terraform_data" "each" {
  for_each = toset(["k", "m"])
  lifecycle { replace_triggered_by = [terraform_data.some[each.key]] }
}

output "of_none" { value = terraform_data.of_none.input }

output "some" { value = keys(terraform_data.some) }

output "each" { value = keys(terraform_data.each) }
