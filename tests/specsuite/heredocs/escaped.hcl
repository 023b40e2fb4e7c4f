v = <<EOT
$${name}
EOT
