locals {
 s = file("s.txt")
}
output "o" {
 value = length([for i in range(10) : length(regexall("(?P<x>((a)))", [local.s][i*0]))])
}
