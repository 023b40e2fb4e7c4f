v = <<EOT
hello ${name}
EOT
