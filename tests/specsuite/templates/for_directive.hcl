v = "%{ for z in zones }${z};%{ endfor }"
