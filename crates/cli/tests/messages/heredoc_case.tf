text = <<-EOT
  one
  eot
