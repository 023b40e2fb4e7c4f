resource "demo_blocks" "a" {
  name = "n"
  one {
    a      = "b"
    secret = "t"
    inner {
      x = "2"
    }
    only {
      y = "z"
    }
  }
  all {
    level = 2
    part {
      p = "q"
    }
  }
  item {
    v = "second"
  }
  item {
    v = "v"
    nested = { z = "y" }
    sub {
      s = "b"
    }
    sub {
      s = "c"
    }
    keyed "k" {
      t = "u"
    }
    keyed "same" {
      t = "t"
    }
  }
  opt {
    k = "b"
    list = ["x", "y"]
  }
  opt {
    k = "a"
    sub {
      w = "w"
    }
  }
  auto {
    k = "z"
  }
  auto {
    k = "new"
  }
  label "b" {
    text = "y"
    wo = "secret"
    sub "t" {
      u = "u"
    }
  }
  label "new" {}
  label "same" {
    text = "s"
  }
  two {
    v = "2"
  }
  hidden {
    password = "q"
    user = "u"
  }
  hidden {
    user = "v"
  }
}
