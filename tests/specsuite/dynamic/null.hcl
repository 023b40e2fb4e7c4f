dynamic "b" {
  for_each = null
  content {}
}
