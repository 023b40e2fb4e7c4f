a = [1 2
b {
  c = 
  d "e
}
f = "${g
h = { i = }
}
]
j = <<EOT
x
