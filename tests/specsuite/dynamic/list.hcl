dynamic "b" {
  for_each = zones
  content {
    k = b.key
    v = b.value
  }
}
