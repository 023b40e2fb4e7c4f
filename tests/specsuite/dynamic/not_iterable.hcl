dynamic "b" {
  for_each = n
  content {}
}
