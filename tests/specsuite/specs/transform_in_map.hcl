b "x" {
  p = 80
}
b "y" {
  p = "q"
}
