v = <<EOT
a\nb
EOT
