resource "terraform_data" "source" {
  for_each = toset([
    "unused", "key", "value", "condition", "element", "element_part", "local", "local_index",
    "call", "call_key", "nested", "together",
  ])
  input = ["a", "b"]
}

resource "terraform_data" "unused" {
  for_each = toset(terraform_data.source["unused"].input)
  input    = "k"
}

resource "terraform_data" "key" {
  for_each = toset(terraform_data.source["key"].input)
  input    = { deep = [each.key] }
}

resource "terraform_data" "value" {
  for_each = toset(terraform_data.source["value"].input)
  input    = "in-${each.value}"
}

resource "terraform_data" "condition" {
  for_each = toset(terraform_data.source["condition"].input)
  input    = "k"

  lifecycle {
    precondition {
      condition     = each.key != "z"
      error_message = "The key is z."
    }
  }

  provisioner "local-exec" {
    command = "echo ${each.key}"
  }
}

resource "terraform_data" "element" {
  for_each = { for key in terraform_data.source["element"].input : key => { part = terraform_data.source["element_part"].input } }
  input    = each.value.part
}

locals {
  number       = length(terraform_data.source["local"].input)
  number_index = length(terraform_data.source["local_index"].input)
}

resource "terraform_data" "local" {
  count = local.number
  input = "k"
}

resource "terraform_data" "local_index" {
  count = local.number_index
  input = "k-${count.index}"
}

resource "terraform_data" "together" {
  for_each = toset(["0"])
  input    = terraform_data.source["together"].input[tonumber(each.key)]
}

module "call" {
  source   = "./leaf"
  for_each = toset(terraform_data.source["call"].input)
  value    = "k"
}

module "call_key" {
  source   = "./leaf"
  for_each = toset(terraform_data.source["call_key"].input)
  value    = each.key
}

module "nested" {
  source = "./branch"
  keys   = terraform_data.source["nested"].input
}

output "outputs" {
  value = { for key, call in module.call_key : key => call.value }
}
