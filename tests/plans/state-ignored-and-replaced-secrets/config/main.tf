resource "terraform_data" "replaced" {
  input            = "new"
  triggers_replace = 2
  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "part" {
  input            = { x = "new", y = sensitive("s"), z = [1, 2] }
  triggers_replace = 2
  lifecycle {
    ignore_changes = [input.x, input.z[1], input.w]
  }
}

resource "terraform_data" "triggered" {
  input = { x = "new" }
  lifecycle {
    ignore_changes       = [input]
    replace_triggered_by = [terraform_data.part]
  }
}

resource "terraform_data" "tainted" {
  input = "new"
  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "all" {
  input            = "new"
  triggers_replace = 1
  lifecycle {
    ignore_changes       = all
    replace_triggered_by = [terraform_data.part]
  }
}

resource "terraform_data" "nested" {
  input = { x = ["new", "q"], y = "new" }
  lifecycle {
    ignore_changes = [input, input.x[0], input.y]
  }
}

resource "terraform_data" "inner" {
  input = { x = { y = "new", z = sensitive("new") } }
  lifecycle {
    ignore_changes = [input.x, input.x.y, input.x.z]
  }
}
