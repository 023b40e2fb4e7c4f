variable "v" { default = "two" }
resource "terraform_data" "src" {
  input = { v = var.v, w = "w", l = ["a", var.v], extra = jsondecode(var.v == "one" ? "{\"gone\": 1}" : "{\"added\": [1]}") }
}
resource "terraform_data" "map" { input = tomap({ a = var.v }) }
resource "terraform_data" "many" {
  count = 2
  input = { w = "w", v = count.index == 1 ? var.v : "x" }
}
resource "terraform_data" "tainted" { input = { a = 1 } }
resource "terraform_data" "tainted_argument" {
  lifecycle { replace_triggered_by = [terraform_data.tainted.input, terraform_data.tainted.input.a] }
}
resource "terraform_data" "tainted_id" {
  lifecycle { replace_triggered_by = [terraform_data.tainted.id] }
}
resource "terraform_data" "same_parts" {
  lifecycle {
    replace_triggered_by = [
      terraform_data.src.input.w, terraform_data.src.input["w"], terraform_data.src.input.l[0], terraform_data.src.input.l.0,
      resource.terraform_data.src.input.w, terraform_data.src.id, terraform_data.many[1].input.w, terraform_data.many[0].input,
    ]
  }
}
resource "terraform_data" "no_parts" {
  lifecycle {
    replace_triggered_by = [
      terraform_data.src.input.nothing, terraform_data.src.input.l[7], terraform_data.src.input["v"], terraform_data.map.input.a,
      terraform_data.src.input.w.deeper,
    ]
  }
}
resource "terraform_data" "attribute" {
  lifecycle { replace_triggered_by = [terraform_data.src.input.v] }
}
resource "terraform_data" "prefixed" {
  lifecycle { replace_triggered_by = [resource.terraform_data.src.input.v] }
}
resource "terraform_data" "element" {
  lifecycle { replace_triggered_by = [terraform_data.src.input.l[1]] }
}
resource "terraform_data" "legacy_element" {
  lifecycle { replace_triggered_by = [terraform_data.src.input.l.1] }
}
resource "terraform_data" "key" {
  lifecycle { replace_triggered_by = [terraform_data.map.input["a"]] }
}
resource "terraform_data" "computed" {
  lifecycle { replace_triggered_by = [terraform_data.src.output.w] }
}
resource "terraform_data" "gone" {
  lifecycle { replace_triggered_by = [terraform_data.src.input.extra.gone] }
}
resource "terraform_data" "added" {
  lifecycle { replace_triggered_by = [terraform_data.src.input.extra.added[0]] }
}
resource "terraform_data" "of_instance" {
  count = 2
  lifecycle { replace_triggered_by = [terraform_data.many[count.index].input.v, terraform_data.src.input.l[count.index]] }
}
resource "terraform_data" "by_key" {
  for_each = toset(["a", "b"])
  lifecycle { replace_triggered_by = [terraform_data.map.input[each.key]] }
}
