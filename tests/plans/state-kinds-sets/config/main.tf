resource "demo_legacy" "a" {
  name = "a"
  grant {
    who = "z"
    scope { name = "s3" }
    scope { name = "s1" }
  }
  setting {
    key = "b"
    value = "2"
  }
  setting { key = "c" }
  labels = ["z", "b"]
  rule {
    port = 2
    cidrs = ["a"]
  }
}
resource "demo_full" "c" {
  name = "c"
  tagset = [{ k = "2", v = "new" }, { k = "1", v = "x", many = ["q", "r"] }]
  pairs = [{ k = "y", v = null }, { k = "x", v = 1 }, { k = "z", v = 3 }]
  routes = [{ to = "b", via = "v" }, { to = "c" }, { to = "a" }]
  pools = { q = { max = 3 }, r = { min = 0 } }
}
