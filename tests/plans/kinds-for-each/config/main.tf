locals {
  things = { a = { size = 1, tags = { x = "y" } }, b = { size = 2, tags = {} } }
}
resource "demo_legacy" "t" {
  for_each = local.things
  name     = each.key
  size     = each.value.size
  tags     = merge(each.value.tags, { Name = each.key })
}
resource "demo_full" "u" {
  for_each = demo_legacy.t
  name     = each.value.arn
  auto_map = each.value.tags
  routes   = [for k, v in local.things : { to = k, hops = v.size, via = demo_legacy.t[k].arn }]
}
resource "demo_full" "v" {
  count    = length(demo_full.u)
  name     = values(demo_full.u)[count.index].id
  couple   = { for k, u in demo_full.u : k => { x = u.name } }
  members  = [for k, u in demo_full.u : { who = k, level = 1 }]
  keyed    = [for k, u in demo_full.u : { k = u.id }]
}
output "u" {
  value = { for k, u in demo_full.u : k => u.routes }
}
output "v" {
  value = demo_full.v[*].members
}
output "t" {
  value = demo_legacy.t["a"].tags
}
output "secret" {
  value     = [for t in demo_legacy.t : t.token]
  sensitive = true
}
