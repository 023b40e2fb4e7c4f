dynamic "b" {
  for_each = tags
  content {
    k = b.key
    v = b.value
  }
}
