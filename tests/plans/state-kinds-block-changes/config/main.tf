resource "demo_blocks" "a" {
  name = "b"
  two { v = "1" }
  two { v = "2" }
  all { 
    level = 2 
    part { p = "pp" }
  }
  item {
    v = "i0"
  }
  item {
    v = "i1"
    sub { s = "b" }
    keyed "k2" { t = "1" }
  }
  opt { 
    k = "o1" 
    v = "new"
  }
  label "l2" { text = "changed" }
  label "l 3" { text = "new" }
}
