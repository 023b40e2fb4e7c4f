moved {
  from = terraform_data.old
  to = terraform_data.new[0]
}
resource "terraform_data" "new" { 
 count = 1
 lifecycle { 
   create_before_destroy = true 
   ignore_changes = [input]
   replace_triggered_by = [terraform_data.t]
 }
}
resource "terraform_data" "t" {}
