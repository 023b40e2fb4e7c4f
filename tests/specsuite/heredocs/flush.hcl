v = <<-EOT
    one
      two
    EOT
