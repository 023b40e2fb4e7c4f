b {
  c {
    d = 1
  }
}
b {
}
