moved {
  from = terraform_data.old
  to   = terraform_data.new
}
moved {
  from = module.gone
  to   = module.here["a"]
}
removed {
  from = terraform_data.removed
  lifecycle { destroy = false }
}
removed {
  from = module.removed
  lifecycle { destroy = true }
}
resource "terraform_data" "new" {
  input = terraform_data.trig.id
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [input]
    replace_triggered_by  = [terraform_data.trig]
    prevent_destroy       = true
  }
}
resource "terraform_data" "trig" {
  depends_on = [module.here]
}
module "here" {
  source   = "./m"
  for_each = toset(["a"])
  depends_on = [terraform_data.base]
}
resource "terraform_data" "base" {
  provisioner "local-exec" {
    command = "echo ${self.id}"
    when    = destroy
    on_failure = continue
  }
  provisioner "local-exec" {
    command     = "echo hi"
    environment = { A = "b" }
    quiet       = true
  }
  connection {
    host = "h"
  }
}
