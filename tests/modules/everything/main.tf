variable "env" {
  type    = string
  default = "prod"
  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "bad ${var.env}"
  }
}
variable "svc" {
  type = map(object({
    port  = optional(number, 80)
    hosts = optional(list(string), ["a"])
    tags  = optional(map(string), {})
    deep  = optional(object({ x = optional(string, "dx"), y = optional(list(object({ z = optional(number, 9) })), [{}]) }), {})
  }))
  default = { web = {}, api = { port = 8080, hosts = ["h1", "h2"], deep = { y = [{ z = 1 }, {}] } } }
}
locals {
  sorted = { for k, v in var.svc : upper(k) => merge(v, { name = "${k}-${var.env}" }) }
  flat   = flatten([for k, v in var.svc : [for h in v.hosts : { svc = k, host = h, port = v.port }]])
  group  = { for f in local.flat : f.svc => f.host... }
  tern   = var.env == "prod" ? { a = 1 } : { a = 2, b = "x" }
  mixed  = [1, "a", true, null, [1], { k = "v" }]
  csv    = csvdecode("a,b\n1,2\n3,4")
  net    = cidrsubnets("10.0.0.0/16", 4, 4, 8)
  tpl    = <<-EOT
    %{for f in local.flat~}
    ${f.svc}:${f.host}
    %{endfor~}
  EOT
}
resource "terraform_data" "each" {
  for_each = var.svc
  input    = { k = each.key, port = each.value.port }
}
resource "terraform_data" "n" {
  count            = length(local.flat)
  input            = local.flat[count.index].host
  triggers_replace = [count.index]
}
module "net" {
  source   = "./net"
  for_each = { for k, v in var.svc : k => v.port }
  name     = each.key
  port     = each.value
}
module "cnt" {
  source = "./net"
  count  = 2
  name   = "c${count.index}"
}
output "sorted" { value = local.sorted }
output "flat" { value = local.flat }
output "group" { value = local.group }
output "tern" { value = local.tern }
output "mixed" { value = local.mixed }
output "csv" { value = local.csv }
output "net" { value = local.net }
output "tpl" { value = local.tpl }
output "each_in" { value = { for k, v in terraform_data.each : k => v.input } }
output "each_out" { value = { for k, v in terraform_data.each : k => v.output } }
output "ids" { value = terraform_data.n[*].id }
output "ins" { value = terraform_data.n[*].input }
output "trig" { value = [for x in terraform_data.n : x.triggers_replace] }
output "mods" { value = module.net }
output "mod_one" { value = module.net["api"].label }
output "mod_names" { value = module.cnt[*].label }
output "mod_sub" { value = module.cnt[1].subs["b"] }
output "secret" {
  value     = sensitive("x${var.env}")
  sensitive = true
}
output "types" { value = [tolist(["a"]), toset(["b", "a"]), tomap({ a = 1 }), tonumber("1.50"), tostring(1e3)] }
output "nulls" { value = { a = null, b = coalesce(null, "x"), c = try(var.svc["zz"].port, "none"), d = one([]) } }
output "paths" { value = [path.module, path.root, terraform.workspace] }
output "enc" { value = [jsonencode(local.sorted), yamlencode(local.flat), base64encode("hé"), sha1("x"), format("%05.2f|%-5s|%q", 3.14159, "a", "b")] }
output "num" { value = [1 / 3, 10 % 3, -5, 1e100, 0.1 + 0.2, pow(2, 64), floor(-1.5), parseint("ff", 16)] }
output "empty" { value = [{}, [], toset([]), ""] }
