b {
  a = null
  b = []
}
