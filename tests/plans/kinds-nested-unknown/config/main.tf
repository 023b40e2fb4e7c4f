resource "demo_full" "base" {
  name = "base"
}
resource "demo_full" "a" {
  name     = demo_full.base.id
  anything = { a = demo_full.base.id, b = 1 }
  shape    = { a = demo_full.base.id, b = 1, c = [demo_full.base.id] }
  grid     = [[length(demo_full.base.id)], [1]]
  pairs    = [{ k = demo_full.base.id, v = 1 }]
  members  = [{ who = demo_full.base.id, level = 2 }, { who = "a", level = 1 }]
  deep     = { a = { b = demo_full.base.auto_list } }
  auto_map = demo_full.base.auto_map
  auto_list = [demo_full.base.id]
  meta     = { owner = demo_full.base.id }
  routes   = [for x in ["a", "b"] : { to = demo_full.base.id, via = x }]
  tagset   = [{ k = demo_full.base.id }, { k = "a" }]
  keyed    = [{ k = demo_full.base.id }]
  pools    = { one = { tags = demo_full.base.auto_map } }
  found    = demo_full.base.found
  ports    = demo_full.base.ports
  password_wo = demo_full.base.id
}
resource "demo_full" "b" {
  name = "b"
  anything = demo_full.base.auto_map
  routes = [for p in demo_full.base.ports : { to = "x" }]
  meta = demo_full.base.id == "x" ? { owner = "a" } : { owner = "b" }
}
