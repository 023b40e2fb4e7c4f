locals {
  equal       = var.a = "b" ? 1 : 2
  both        = var.a and var.b
  either      = [for x in var.list : x if x.a or x.b]
  negated     = not var.a
  in_call     = alltrue(var.a = 1)
  in_template = "${var.a AND var.b}"
  attribute   = var.not var.and
  bits        = var.a & 1
}
