a = [name, tags.env]
b {
  c = zones[0]
}
