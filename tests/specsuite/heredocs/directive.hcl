v = <<EOT
%{ for z in zones ~}
- ${z}
%{ endfor ~}
EOT
