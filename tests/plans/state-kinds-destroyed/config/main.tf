resource "demo_blocks" "b" {
  count = 1
  two {}
  item {
    v = "x"
  }
  opt {
    k = "x"
  }
  label "l" {
    wo = "x"
  }
}
removed {
  from = demo_legacy.c
  lifecycle {
    destroy = false
  }
}
