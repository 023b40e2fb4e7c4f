module "m0" {
  source = "./m"
  a = var.x ? null : null
}
module "m3" {
  source = "./m"
  a = true ? 1 : upper("a")
}
module "m4" {
  source = "./m"
  a = true ? "a" : length([1])
}
module "m5" {
  source = "./m"
  a = var.x ? 1 : 1
}
module "m6" {
  source = "./m"
  a = var.x ? "a" : "a"
}
module "m7" {
  source = "./m"
  a = [for v in [] : var.x]
}
module "m8" {
  source = "./m"
  a = [for v in [1] : v]
}
module "m9" {
  source = "./m"
  a = {for k, v in {a = 1} : k => v}
}
module "m10" {
  source = "./m"
  a = [for v in [1, 2] : v if var.x]
}
module "m11" {
  source = "./m"
  a = {for k, v in {} : k => var.x}
}
module "m12" {
  source = "./m"
  a = var.x && false
}
module "m13" {
  source = "./m"
  a = false && var.x
}
module "m14" {
  source = "./m"
  a = true || var.x
}
module "m15" {
  source = "./m"
  a = var.x || true
}
module "m16" {
  source = "./m"
  a = !var.x
}
module "m17" {
  source = "./m"
  a = -var.n
}
module "m18" {
  source = "./m"
  a = 1 + var.n
}
module "m19" {
  source = "./m"
  a = "${var.x}"
}
module "m20" {
  source = "./m"
  a = "a${1}"
}
module "m21" {
  source = "./m"
  a = "%{ if true }a%{ else }${var.x}%{ endif }"
}
module "m22" {
  source = "./m"
  a = "%{ if false }${var.x}%{ else }b%{ endif }"
}
module "m23" {
  source = "./m"
  a = "%{ for v in [] }${var.x}%{ endfor }"
}
module "m24" {
  source = "./m"
  a = [1, 2][0]
}
module "m25" {
  source = "./m"
  a = [1, var.x][0]
}
module "m26" {
  source = "./m"
  a = {a = 1, b = var.x}.a
}
module "m27" {
  source = "./m"
  a = {a = 1, b = var.x}["a"]
}
module "m30" {
  source = "./m"
  a = null
}
module "m31" {
  source = "./m"
  a = [null]
}
module "m32" {
  source = "./m"
  a = {}
}
module "m33" {
  source = "./m"
  a = []
}
module "m34" {
  source = "./m"
  a = [upper("a"), 1][1]
}
module "m36" {
  source = "./m"
  a = [1, 2][*]
}
module "m37" {
  source = "./m"
  a = [{a = 1}, {a = 2}][*].a
}
module "m38" {
  source = "./m"
  a = [{a = 1}, {a = var.x}][*].a
}
module "m39" {
  source = "./m"
  a = {(var.x) = 1}
}
module "m40" {
  source = "./m"
  a = {("a") = 1}
}
module "m41" {
  source = "./m"
  a = "a" == "b"
}
module "m42" {
  source = "./m"
  a = 1 == var.n
}
module "m43" {
  source = "./m"
  a = "abc${"def"}"
}
module "m44" {
  source = "./m"
  a = 1 / 0
}
module "m45" {
  source = "./m"
  a = 5 % 0
}
module "m47" {
  source = "./m"
  a = true ? "a" : 1
}
module "m48" {
  source = "./m"
  a = [for i, v in ["a", "b"] : "${i}-${v}"]
}
module "m49" {
  source = "./m"
  a = [for v in ["a", "b"] : upper(v)]
}
module "m50" {
  source = "./m"
  a = try(1, 2)
}
module "m51" {
  source = "./m"
  a = true ? null : var.x
}
module "m52" {
  source = "./m"
  a = false ? upper("b") : null
}
module "m53" {
  source = "./m"
  a = {for v in ["a", "b", "a"] : v => 1...}
}
module "m54" {
  source = "./m"
  a = {a = [1, {b = null}]}
}
output "o55" {
  value = <<EOT
hello
EOT
}
output "o56" {
  value = <<-EOT
  a ${1 + 1}
  EOT
}
module "m57" {
  source = "./m"
  a = (1 + 2) * 3
}
module "m58" {
  source = "./m"
  a = 1.50
}
module "m59" {
  source = "./m"
  a = 1e3
}
module "m60" {
  source = "./m"
  a = 100000000000000000000
}
module "m61" {
  source = "./m"
  a = 0.1 + 0.2
}
module "m62" {
  source = "./m"
  a = 10 / 3
}
module "m63" {
  source = "./m"
  a = "\u00e9<&>"
}
module "m64" {
  source = "./m"
  a = [[1, 2], [3]][0][1]
}
module "m65" {
  source = "./m"
  a = {"a.b" = 1}["a.b"]
}
module "m66" {
  source = "./m"
  a = null == null
}
module "m68" {
  source = "./m"
  a = [true, "a"][1 - 1]
}
module "m69" {
  source = "./m"
  a = var.n > 2 ? null : null
}
module "m70" {
  source = "./m"
  a = var.x ? [] : []
}
module "m71" {
  source = "./m"
  a = var.x ? {} : {}
}
module "m72" {
  source = "./m"
  a = var.x ? "" : ""
}
module "m73" {
  source = "./m"
  a = terraform.workspace == "x" ? null : null
}
module "m77" {
  source = "./m"
  a = [null][0]
}
module "m78" {
  source = "./m"
  a = [for k, v in {b = 1, a = 2} : k]
}
module "m79" {
  source = "./m"
  a = toset(["a"])
}
module "m80" {
  source = "./m"
  a = 1 == 1 ? 2 : 3
}
module "m81" {
  source = "./m"
  a = -1
}
module "m82" {
  source = "./m"
  a = !true
}
module "m83" {
  source = "./m"
  a = - 5 + 2
}
module "m84" {
  source = "./m"
  a = "${true}"
}
module "m85" {
  source = "./m"
  a = "${1}"
}
module "m86" {
  source = "./m"
  a = "${null}"
}
module "m87" {
  source = "./m"
  a = "${[1]}"
}
module "m89" {
  source = "./m"
  a = "x${"%{ if true }y%{ endif }"}"
}
module "m91" {
  source = "./m"
  a = [] == []
}
module "m92" {
  source = "./m"
  a = [1] != [2]
}
module "m93" {
  source = "./m"
  a = {} == {}
}
module "m94" {
  source = "./m"
  a = [for x in [1,2,3] : x if x > 1]
}
module "m97" {
  source = "./m"
  a = "true" ? 1 : 2
}
module "m98" {
  source = "./m"
  a = [1,2].0
}
module "m99" {
  source = "./m"
  a = local.l[0]
}
module "m101" {
  source = "./m"
  a = local.l[*]
}
module "m102" {
  source = "./m"
  a = var.n == null ? null : null
}
