module "new" {
  source = "./new"
}
moved {
  from = module.old
  to   = module.new
}
