resource "terraform_data" "src" { input = 2 }
resource "terraform_data" "same" { input = 1 }
resource "terraform_data" "many" { 
  count = 2
  input = count.index * 2
}
resource "terraform_data" "a" { 
  input = 1 
  lifecycle { replace_triggered_by = [terraform_data.src] }
}
resource "terraform_data" "b" { 
  input = 1 
  lifecycle { replace_triggered_by = [terraform_data.same.input, terraform_data.src.id] }
}
resource "terraform_data" "c" { 
  count = 2
  input = 1 
  lifecycle { replace_triggered_by = [terraform_data.many[count.index].input] }
}
