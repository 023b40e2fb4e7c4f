resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "l" { input = [terraform_data.a.id, "k", { z = terraform_data.a.id, y = 1 }] }
resource "terraform_data" "s" { input = toset(["a", terraform_data.a.id]) }
resource "terraform_data" "m" { input = tomap({ a = terraform_data.a.id, b = "x" }) }
resource "terraform_data" "t" { input = "${terraform_data.a.id}-suffix" }
resource "terraform_data" "tl" { input = tolist([terraform_data.a.id, null]) }
resource "terraform_data" "n" { input = concat([1], [terraform_data.a.id]) }
resource "terraform_data" "d" { input = terraform_data.l.output }
resource "terraform_data" "i" { input = terraform_data.l.output[0] }
resource "terraform_data" "c" { input = terraform_data.a.id == "" ? [1] : [2] }
resource "terraform_data" "e" { input = { for k in [terraform_data.a.id] : "k" => k } }
resource "terraform_data" "f" { input = merge({ a = 1 }, { b = terraform_data.a.id }) }
resource "terraform_data" "g" { input = length([terraform_data.a.id]) }
resource "terraform_data" "h" { triggers_replace = { a = terraform_data.a.id } }
output "l" { value = terraform_data.l.output }
output "input" { value = terraform_data.l.input }
output "m" { value = tomap({ a = terraform_data.a.id, b = "x" }) }
output "s" { value = toset(["a", terraform_data.a.id]) }
output "whole" { value = terraform_data.a }
output "n" { value = length(terraform_data.l.input) }
