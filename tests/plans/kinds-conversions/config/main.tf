resource "demo_legacy" "a" {
  name    = 12
  size    = "1.50"
  enabled = "true"
  zones   = toset(["b", "a"])
  labels  = [1, true, "x", "1"]
  tags    = { a = 1, b = true, c = null }
  ratios  = ["1", 2.0, 1e2]
  flags   = { x = "true" }
  rule {
    port  = "8080"
    cidrs = toset(["z", "y"])
  }
}
resource "demo_full" "b" {
  name   = true
  shape  = { a = 1, b = "2", c = toset(["q"]), extra = "dropped" }
  grid   = [["1", 2], toset([3])]
  pairs  = [{ k = 1, v = "2" }]
  members = [{ who = 1, level = "3" }, { who = 1, level = 3 }]
  deep   = { a = { b = [1, 2] } }
  couple = { k = { x = 1 } }
  meta   = { owner = 1, pin = true }
  pools  = { a = { min = "3" } }
  routes = [{ to = 1, via = 2 }]
  tagset = [{ k = 1, v = null }, { k = "1" }]
  anything = 1.50
}
