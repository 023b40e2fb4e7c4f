resource "terraform_data" "before" {}

module "checked" {
  source     = "./m"
  depends_on = [terraform_data.before]
}

resource "terraform_data" "after" {
  input      = "x"
  depends_on = [module.checked]
}
