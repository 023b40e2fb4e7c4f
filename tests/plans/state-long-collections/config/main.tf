resource "terraform_data" "a" { input = [for i in range(31) : i == 7 ? "changed" : "item-${i}" if i != 15] }
resource "terraform_data" "m" { input = { for i in range(13) : "k${i}" => i == 3 ? 33 : i if i != 5 } }
output "l" { value = [for i in range(10) : { n = i == 4 ? 44 : i, t = "x${i}" } if i != 8] }
