dynamic "b" {
  for_each = [1, 2, 3]
  content {
    k = nope
  }
}
