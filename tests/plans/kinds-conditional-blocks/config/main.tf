variable "on" {
  default = true
}
resource "demo_legacy" "a" {
  name = "x"
  dynamic "login" {
    for_each = var.on ? [1] : []
    content {
      user = "u"
    }
  }
  dynamic "timeouts" {
    for_each = var.on ? [] : [1]
    content {
      create = "1m"
    }
  }
  dynamic "rule" {
    for_each = { for i, p in [80, 443] : "p${i}" => p if p > 100 }
    iterator = r
    content {
      port = r.value
      note = r.key
      dynamic "match" {
        for_each = toset([r.key, "z"])
        content {
          field  = match.key
          values = [match.value, r.key]
        }
      }
    }
  }
}
resource "demo_blocks" "b" {
  two {}
  dynamic "one" {
    for_each = var.on ? ["v"] : []
    content {
      a = one.value
      dynamic "inner" {
        for_each = range(2)
        content {
          x = "i${inner.value}"
        }
      }
    }
  }
  dynamic "all" {
    for_each = [1]
    content {
      level = all.value
    }
  }
  dynamic "label" {
    for_each = { q = "w", a = "s" }
    labels   = ["k-${label.key}"]
    content {
      text = label.value
    }
  }
}
