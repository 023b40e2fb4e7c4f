v = "%{ if yes }on%{ else }off%{ endif }"
