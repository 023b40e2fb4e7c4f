dynamic "c" {
  for_each = []
  content {}
}
