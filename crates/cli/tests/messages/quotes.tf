region = 'eu-west-1'
zone   = “b”
path   = `C:\tmp`
text   = "left open
next   = "C:\tmp"
