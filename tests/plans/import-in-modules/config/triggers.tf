resource "terraform_data" "t_a" {
  input = "x"
  lifecycle { replace_triggered_by = [terraform_data.t_b] }
}
resource "terraform_data" "t_a2" {
  input = "x"
  lifecycle { replace_triggered_by = [terraform_data.t_b.input] }
}
resource "terraform_data" "t_b" {
  input = "x"
}
resource "terraform_data" "t_i" {
  input = "x"
}
resource "terraform_data" "t_j" {
}
import {
  to = terraform_data.t_i
  id = "i"
}
import {
  to = terraform_data.t_j
  id = "j"
}
import {
  to = terraform_data.t_k
  id = "j"
}
import {
  to = terraform_data.t_l
  id = "j"
}
import {
  to = terraform_data.t_a2
  id = "a2"
}
resource "terraform_data" "t_k" {
  lifecycle { replace_triggered_by = [terraform_data.t_j] }
}
resource "terraform_data" "t_l" {
  lifecycle { replace_triggered_by = [terraform_data.t_i.input] }
}
module "n" {
  source = "./n"
  x      = terraform_data.t_b.input
}
resource "terraform_data" "last" {
  depends_on = [module.n]
}
resource "terraform_data" "last2" {
  triggers_replace = module.n.y == "n" ? null : null
}
import {
  to = terraform_data.last
  id = "last"
}
import {
  to = terraform_data.last2
  id = "last2"
}
