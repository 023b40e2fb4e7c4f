b {
  k = "first"
}
dynamic "b" {
  for_each = { a = 1 }
  iterator = it
  content {
    k = it.key
    v = "${name}${it.value}"
  }
}
