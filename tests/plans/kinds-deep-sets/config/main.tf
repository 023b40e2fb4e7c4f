resource "terraform_data" "u" {}
resource "demo_legacy" "a" {
  name = "a"
  grant {
    who = "z"
    scope { name = "s2" }
    scope { name = "s1" }
  }
  grant {
    who = "a"
    scope { name = terraform_data.u.id }
  }
  grant { who = terraform_data.u.id }
  setting {
    key = "b"
    value = "1"
    secret = "q"
  }
  setting { key = "a" }
  setting { 
    key = "c" 
    value = terraform_data.u.id
  }
  labels = ["z", "a", "z", "M"]
  rule {
    port = 1
    cidrs = ["b", "a"]
    match {
      field = "f"
      values = ["2", "10", "1"]
    }
  }
}
resource "demo_blocks" "b" {
  two { v = "1" }
  two { v = "0" }
  opt {
    k = "k2"
    list = ["x"]
    sub { w = "1" }
    sub { w = "0" }
  }
  opt { k = "k1" }
  auto { k = "x" }
  auto { k = "y" }
  item {
    v = "v"
    sub { s = "b" }
    sub { s = "a" }
    keyed "z" { t = "1" }
    keyed "a" { t = "2" }
    nested = { z = "zz" }
  }
}
resource "demo_full" "c" {
  name = "c"
  members = [{ who = "b", level = 2 }, { who = "a", level = null }, { who = "b", level = 2 }]
  tagset = [{ k = "2" }, { k = "1", v = "x", many = ["q"] }, { k = terraform_data.u.id }]
  keyed = [{ k = "b" }, { k = "a" }]
  pairs = [{ k = "x", v = 1 }, { k = "y", v = null }]
  grid = [[1, 2], [], [3]]
}
