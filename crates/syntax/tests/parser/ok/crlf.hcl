crlf {
  a = 1
  b = <<E
x
E
}
