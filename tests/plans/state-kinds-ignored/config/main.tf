resource "terraform_data" "a" { 
  input = { x = 2, y = [1, 2, 3] }
  lifecycle { ignore_changes = [input["x"]] }
}
resource "demo_full" "b" {
  name = "n2"
  note = "new"
  deep = { k = { l = ["2"] } }
  pools = { p = { min = 5 }, q = { min = 6 } }
  lifecycle { ignore_changes = [note, pools["p"]] }
}
resource "demo_legacy" "c" {
  name = "n2"
  tags = { a = "5", c = "3" }
  rule { port = 2 }
  lifecycle { ignore_changes = [tags["a"], rule] }
}
