module "m" {
  source = "./m"
  count  = 1
}
moved {
  from = module.gone
  to   = module.m[2]
}
