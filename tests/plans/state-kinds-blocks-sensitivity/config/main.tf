variable "pw" {
  default   = "x"
  sensitive = true
}
resource "demo_blocks" "gain" {
  two {
    v = var.pw
  }
  item {
    v = var.pw
    tags = { a = var.pw }
  }
  opt {
    k = var.pw
  }
  opt {
    k = "y"
  }
  label "l" {
    text = var.pw
  }
  dynamic "hidden" {
    for_each = [var.pw]
    content {
      user = hidden.value
    }
  }
}
resource "demo_blocks" "lose" {
  two {
    v = "x"
  }
  item {
    v = "x"
    tags = { a = "x" }
  }
  opt {
    k = "x"
  }
  opt {
    k = "y"
  }
  label "l" {
    text = "x"
  }
  hidden {
    user = "x"
  }
}
resource "demo_blocks" "both" {
  two {}
  opt {
    k = sensitive("z")
  }
  opt {
    k = "y"
  }
}
