variable "pw" {
  sensitive = true
  default   = "hush"
}
resource "demo_full" "a" {
  name     = "n"
  note     = null
  size     = 3
  anything = { a = [1, "x", null], b = true }
  shape    = { a = "x", b = "2", c = ["z"] }
  grid     = [[1, 2], []]
  pairs    = [{ k = "a", v = 1 }, { k = "b", v = null }]
  members  = [{ who = "b", level = 2 }, { who = "a", level = 1 }]
  deep     = { a = { b = ["c"] }, d = {} }
  couple   = { k = { x = "y" } }
  auto     = "set"
  auto_map = { a = "b" }
  auto_list = []
  secret   = "plain"
  password_wo = var.pw
  password_wo_version = 1
  meta = {
    owner = "me"
    pin   = "1"
    pin_wo = "2"
  }
  routes = [
    { to = "a", via = "b", inner = { a = "x" } },
    { to = "c", hops = 3 },
  ]
  tagset = [{ k = "b" }, { k = "a", v = "v", many = ["1", "2"] }]
  keyed  = [{ k = "b" }, { k = "a" }]
  pools  = { one = { min = 1 }, two = { max = 2, tags = { a = "b" } }, "odd key" = {} }
  found  = { ip = "1.2.3.4" }
  ports  = [{ n = 1 }, {}]
  hidden = { a = "a", b = 1 }
}
