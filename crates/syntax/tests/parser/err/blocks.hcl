locals {
  a = var.
  b = 1
  a
  c = { d = 1,
    e = 2
  }
}

resource "open" "brace" {
  nested {
    a = 1
}

resource "after" "brace" {
  a = <<EOT
resource "in" "heredoc" {
EOT
}

resource "early" "brace" {
  a = 1 }
  b = 2
  nested {
    c = 3
  }
}

resource "open" "list" {
  a = [1,
  b = 2
}

vari

check "unindented" {
data "a" "b" {
}
}

resource "open" "quote" {
  a = "text
  b = 2
}

  type = "without a header"
}

resource "open" "template" {
  a = "${f(
  b = 2
}

output "last" {
  value = 1
  value = 2
}
