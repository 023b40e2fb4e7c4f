locals {
  x = { a = "b" }
}
variable "v" {
  default = "v"
}
resource "demo_blocks" "a" {
  for_each = toset(["a", "b"])
  name = "n-${each.key}"
  one {
    a = var.v
    b = 1 + 1
    inner {
      x = local.x.a
    }
    inner {}
    only {
      y = "const"
    }
  }
  all {
    mode = upper("x")
    part {
      p = "p"
    }
  }
  item {
    v = "v"
    nested = { z = var.v }
    keyed "k" {
      t = each.value
    }
    keyed "l" {}
  }
  label "m" {
    text = "c"
  }
  opt {
    k = each.key
    list = ["a", var.v]
  }
  opt {
    k = "c"
  }
  two {}
  dynamic "hidden" {
    for_each = [1]
    content {
      user = "u"
    }
  }
}
resource "demo_full" "b" {
  name = "x"
  meta = { owner = "const", pin = "1" }
  routes = [{ to = "a" }]
  tagset = [{ k = demo_blocks.a["a"].id }]
  pools = { a = { min = 1 } }
  password_wo = "x"
  anything = null
}
