resource "demo_legacy" "a" {
  name        = "quote \" back \\ tab \t nl \n uni \u00e9 \U0001F600 $${x} %%{y}"
  description = <<-EOT
    first
      second ${1 + 1}
    %{ for x in ["a", "b"] ~}
    - ${x}
    %{ endfor ~}
  EOT
  policy      = <<EOT
{"a": "<b>&", "u": "\u2028"}
EOT
  tags = {
    "a/b"     = "slash"
    "sp ace"  = "x"
    "é"       = "accent"
    "<html>"  = "&"
    "\"q\""   = "quote"
    "1"       = "one"
    "\n"      = "nl"
  }
  zones = ["multi\nline", ""]
}
output "s" {
  value = "a\u2029b</script>"
}
