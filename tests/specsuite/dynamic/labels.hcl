dynamic "b" {
  for_each = zones
  labels = ["z-${b.value}"]
  content {
    a = b.key
  }
}
