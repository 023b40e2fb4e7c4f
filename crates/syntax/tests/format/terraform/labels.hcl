resource aws_instance web {}
resource "a"   b{
}
resource /* dropped */ "a" /* dropped */ "b" /* kept */ {}
dynamic "with spaces" {
  content {}
}
block "" {}
block "\u00e9\t\"\\" {}
nested {
  block name {
    block-2 in-ner {}
  }
}
