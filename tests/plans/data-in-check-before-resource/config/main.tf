module "checked" {
  source = "./m"
}

resource "terraform_data" "after" {
  input      = "x"
  depends_on = [module.checked]
}
