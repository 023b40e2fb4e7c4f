dynamic "g" {
  for_each = zones
  content {
    dynamic "o" {
      for_each = [1, 2]
      content {
        v = "${g.value}${o.value}"
      }
    }
  }
}
