resource "demo_legacy" "base" {
  name = "x"
}
resource "demo_blocks" "a" {
  two {}
  dynamic "item" {
    for_each = ["a", demo_legacy.base.arn]
    content {
      v = item.value
      n = item.key
      dynamic "sub" {
        for_each = demo_legacy.base.endpoints
        content {
          s = sub.value
        }
      }
    }
  }
  dynamic "opt" {
    for_each = { a = demo_legacy.base.arn, b = "x" }
    content {
      k = opt.key
      v = opt.value
      list = demo_legacy.base.endpoints
    }
  }
  dynamic "label" {
    for_each = { a = demo_legacy.base.arn }
    labels   = [label.key]
    content {
      text = label.value
    }
  }
}
resource "demo_legacy" "c" {
  name = demo_legacy.base.arn == "x" ? "a" : "b"
  dynamic "setting" {
    for_each = demo_legacy.base.tags_all
    content {
      key   = setting.key
      value = setting.value
    }
  }
  setting {
    key = "k"
  }
  dynamic "login" {
    for_each = demo_legacy.base.arn == "x" ? [1] : []
    content {
      user = "u"
    }
  }
  dynamic "timeouts" {
    for_each = demo_legacy.base.arn == "x" ? [1] : []
    content {
      create = "1m"
    }
  }
}
