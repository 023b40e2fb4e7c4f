variable "s" {
  sensitive = true
  default   = { a = "x", b = "y" }
}
variable "n" {
  sensitive = true
  default   = 2
}
resource "demo_blocks" "a" {
  two {}
  dynamic "item" {
    for_each = var.s
    content {
      v = item.value
      n = 1
    }
  }
  dynamic "opt" {
    for_each = nonsensitive(var.s)
    content {
      k = opt.key
      v = sensitive(opt.value)
    }
  }
  dynamic "one" {
    for_each = sensitive([1])
    content {
      a = "x"
    }
  }
}
resource "demo_legacy" "b" {
  name = "n"
  size = var.n
  dynamic "rule" {
    for_each = sensitive([1, 2])
    content {
      port = rule.value
      dynamic "match" {
        for_each = ["x"]
        content {
          field = match.value
        }
      }
    }
  }
  dynamic "setting" {
    for_each = var.s
    content {
      key = setting.key
    }
  }
}
output "rule" {
  value     = demo_legacy.b.rule
  sensitive = true
}
