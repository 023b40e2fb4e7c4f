resource "demo_blocks" "a" {
  name = null
  two { v = null }
  dynamic "item" {
    for_each = [null, "a", ""]
    content { v = item.value }
  }
  dynamic "label" {
    for_each = { "" = "e", "a b" = null }
    labels = [label.key]
    content { text = label.value }
  }
}
