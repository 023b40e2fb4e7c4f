variable "a" { type="string" }
variable "b" {
  type="list"
}
variable "c" {
  type="map"
}
variable "d" {
  type=list
}
variable "e" {
  type=map
}
variable "f" {
  type=set
}
variable "g" {
  type="number"
}
variable "h" {
  type=any
}
variable "i" {
  type="${string}"
}
variable "j" {
  type=object({a=list})
}
variable "k" {
  nested {
    type="list"
  }
  types="list"
}
output "l" {
  type="list"
}
block {
  variable "m" {
    type="list"
  }
}
