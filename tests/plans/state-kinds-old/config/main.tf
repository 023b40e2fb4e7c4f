resource "demo_legacy" "a" {
  name        = "n"
  description = "one\n2\nthree\nfour\nfive"
  size        = 2
  enabled     = null
  zones       = ["a", "c", "d", "e"]
  labels      = ["b", "c"]
  tags        = { Name = "n", new = "y", same = "s" }
  policy      = jsonencode({ Version = "1", Statement = [{ a = 1, b = "y" }, { c = 2 }, { d = 3 }] })
  triggers    = { b = "", c = "z" }
  rule {
    port = 2
    note = "first"
    match {
      field = "g"
      values = ["a"]
    }
    match {
      field = "h"
    }
  }
  rule {
    port = 3
  }
  grant {
    who = "you"
  }
  timeouts {
    delete = "1m"
  }
}
