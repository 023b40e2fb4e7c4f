resource "terraform_data" "source" { input = "two" }
resource "terraform_data" "argument" {
  input            = "new"
  triggers_replace = 2
  lifecycle { ignore_changes = [input] }
}
resource "terraform_data" "ignored_argument" {
  input            = "new"
  triggers_replace = 2
  lifecycle { ignore_changes = [triggers_replace] }
}
resource "terraform_data" "tainted" {
  input = "new"
  lifecycle { ignore_changes = [input] }
}
resource "terraform_data" "triggered" {
  input = "new"
  lifecycle {
    ignore_changes       = [input]
    replace_triggered_by = [terraform_data.source]
  }
}
resource "terraform_data" "parts" {
  input            = { x = "new", y = "new" }
  triggers_replace = 2
  lifecycle { ignore_changes = [input.x] }
}
resource "terraform_data" "parts_of_triggers" {
  input            = { x = "new", y = "new" }
  triggers_replace = { a = 2, b = 2 }
  lifecycle { ignore_changes = [input.x, triggers_replace.a] }
}
resource "terraform_data" "all" {
  input = "new"
  lifecycle {
    ignore_changes       = all
    replace_triggered_by = [terraform_data.source.input]
  }
}
resource "terraform_data" "kept" {
  input = "new"
  lifecycle {
    ignore_changes       = [input]
    replace_triggered_by = [terraform_data.source.triggers_replace]
  }
}
# Several reasons.
resource "terraform_data" "tainted_triggered" {
  input = "new"
  lifecycle {
    ignore_changes       = all
    replace_triggered_by = [terraform_data.source]
  }
}
resource "terraform_data" "new_argument" {
  input            = "new"
  triggers_replace = 2
}
resource "terraform_data" "both" {
  triggers_replace = 2
  lifecycle { replace_triggered_by = [terraform_data.source] }
}
resource "terraform_data" "both_ignored" {
  triggers_replace = 2
  lifecycle {
    ignore_changes       = [triggers_replace]
    replace_triggered_by = [terraform_data.source]
  }
}
resource "terraform_data" "created" {
  lifecycle { replace_triggered_by = [terraform_data.source] }
}
resource "terraform_data" "created_kept" {
  lifecycle { replace_triggered_by = [terraform_data.kept] }
}
resource "terraform_data" "created_by_new" {
  lifecycle { replace_triggered_by = [terraform_data.created] }
}
resource "terraform_data" "grown" {
  lifecycle { replace_triggered_by = [terraform_data.created] }
}
import {
  to = terraform_data.imported
  id = "known"
}
resource "terraform_data" "imported" {
  input            = "new"
  triggers_replace = 2
  lifecycle { ignore_changes = [input] }
}
output "after" {
  value = [
    terraform_data.argument.input, terraform_data.ignored_argument.triggers_replace, terraform_data.tainted.input,
    terraform_data.triggered.input, terraform_data.parts.input, terraform_data.parts_of_triggers.input,
    terraform_data.all.input, terraform_data.kept.input, terraform_data.imported.input,
  ]
}
