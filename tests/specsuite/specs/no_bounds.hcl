b {
  p = 80
}
b {
  p = "q"
}
