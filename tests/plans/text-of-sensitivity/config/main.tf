resource "terraform_data" "created" {
  input = sensitive("x")
}

resource "terraform_data" "kept" {
  input = sensitive("x")
}

resource "terraform_data" "changed" {
  input            = "y"
  triggers_replace = sensitive(null)
}

resource "terraform_data" "removed" {
  input = sensitive(null)
}
