a = <<EOT
b
  EO T
