resource "demo_full" "a" {
  name     = "m"
  note     = null
  size     = 4
  anything = { a = [1, "y"], c = true }
  shape    = { a = "x", b = "3", c = ["z", "w"] }
  grid     = [[1, 3], [], [4]]
  pairs    = [{ k = "b", v = null }, { k = "c", v = 3 }]
  members  = [{ who = "b", level = 3 }, { who = "a", level = 1 }]
  deep     = { a = { b = ["d"] }, e = {} }
  couple   = { k = { x = "z" }, same = { x = "s" }, new = { x = "n" } }
  auto     = "other"
  secret   = "plainer"
  password_wo = "b"
  password_wo_version = 2
  meta = { owner = "you", pin = "2" }
  routes = [{ to = "a", via = "c", inner = { a = "y" } }, { to = "d" }]
  tagset = [{ k = "b" }, { k = "a", v = "w", many = ["1", "3"] }]
  keyed  = [{ k = "b" }, { k = "c" }]
  pools  = { one = { min = 2 }, three = { max = 2, tags = { a = "b" } }, same = { min = 5 } }
  found  = { ip = "1.2.3.5" }
  ports  = [{ n = 2 }, {}, { n = 3 }]
  hidden = { a = "b", b = 1 }
}
