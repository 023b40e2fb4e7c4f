resource "demo_legacy" "base" {
  name = "y"
}
resource "demo_blocks" "a" {
  two {}
  dynamic "item" {
    for_each = demo_legacy.base.endpoints
    content {
      v = item.value
    }
  }
  dynamic "opt" {
    for_each = demo_legacy.base.tags_all
    content {
      k = opt.key
    }
  }
  one {
    a = demo_legacy.base.arn
  }
}
resource "demo_blocks" "b" {
  two {}
  dynamic "item" {
    for_each = demo_legacy.base.endpoints
    content {
      v = item.value
    }
  }
  item {
    v = "written"
  }
}
