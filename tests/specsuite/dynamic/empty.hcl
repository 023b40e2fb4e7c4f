dynamic "b" {
  for_each = []
  content {}
}
