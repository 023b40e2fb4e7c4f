resource "terraform_data" "c" { 
  for_each = toset(["x", "z"])
  input = each.key
}
moved { 
  from = terraform_data.a 
  to = terraform_data.b 
}
moved { 
  from = terraform_data.b
  to = terraform_data.c
}
moved { 
  from = terraform_data.c["y"]
  to = terraform_data.c["z"]
}
moved { 
  from = module.m[0].terraform_data.in
  to = terraform_data.out
}
moved { 
  from = module.m
  to = module.n
}
module "n" { 
  source = "./m" 
  count = 2
}
resource "terraform_data" "out" { input = 1 }
