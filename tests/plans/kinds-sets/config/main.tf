resource "demo_full" "u" {
  name = "u"
}
resource "demo_full" "a" {
  name    = "a"
  members = [{ who = "z", level = 1 }, { who = "a", level = 10 }, { who = "a", level = 9 }, { who = null, level = 2 }]
  tagset  = [{ k = "b", v = "2" }, { k = "b", v = null }, { k = "b", v = "1" }, { k = "a", many = ["2", "1"] }]
  keyed   = [{ k = "10" }, { k = "9" }]
}
resource "demo_full" "b" {
  name    = "b"
  members = [{ who = "z", level = length(demo_full.u.id) }, { who = "a", level = 1 }]
  tagset  = [{ k = "b", v = demo_full.u.id }, { k = "a", many = demo_full.u.auto_list }, { k = "c" }]
}
resource "demo_legacy" "c" {
  name   = "c"
  labels = ["10", "9", "B", "a", "é", ""]
  setting {
    key = "10"
  }
  setting {
    key   = "9"
    value = "x"
  }
  setting {
    key   = "9"
    value = "x"
  }
  grant {
    who = "b"
    scope {
      name = "q"
    }
  }
  grant {
    who = "a"
  }
  grant {
    who = demo_full.u.id
    scope {
      name = demo_full.u.name
    }
  }
}
output "sets" {
  value = [demo_full.a.members, demo_full.b.tagset, demo_legacy.c.labels, demo_full.a.keyed]
}
