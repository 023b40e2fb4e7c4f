a = "x${b}y%{ if c ~}d%{ else }e%{ endif }f"
g = "${"${h}"}$${i}%%{j}\u00e9\n"
k = "%{ for l, m in n ~}
${l}=${m}
%{ endfor ~}"
