resource "demo_blocks" "base" {
  two {}
}
resource "demo_blocks" "a" {
  name = demo_blocks.base.id
  one {
    a = demo_blocks.base.id
    inner {
      x = demo_blocks.base.id
    }
  }
  all {
    mode = demo_blocks.base.id
  }
  item {
    v = demo_blocks.base.id
    sub {
      s = demo_blocks.base.id
    }
    tags = { a = demo_blocks.base.id }
  }
  opt {
    k = demo_blocks.base.id
  }
  opt {
    k = "a"
  }
  label "x" {
    text = demo_blocks.base.id
  }
  two {
    v = demo_blocks.base.id
  }
}
