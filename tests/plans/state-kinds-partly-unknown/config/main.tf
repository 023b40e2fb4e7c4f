resource "demo_full" "base" {
  name = "changed"
}
resource "demo_full" "a" {
  name     = "n"
  anything = { a = demo_full.base.id, b = 1 }
  shape    = { a = demo_full.base.id, b = 1, c = ["a", demo_full.base.id, "b"] }
  pairs    = [{ k = demo_full.base.id, v = 1 }, { k = "b", v = 2 }]
  members  = [{ who = demo_full.base.id, level = 2 }, { who = "b", level = 1 }]
  deep     = { a = { b = [demo_full.base.id] } }
  auto_list = ["a", demo_full.base.id]
  meta     = { owner = demo_full.base.id }
  routes   = [{ to = demo_full.base.id }, { to = "b" }]
  tagset   = [{ k = demo_full.base.id }, { k = "a" }]
  pools    = { one = { tags = { a = demo_full.base.id } } }
}
output "o" {
  value = demo_full.a.routes
}
