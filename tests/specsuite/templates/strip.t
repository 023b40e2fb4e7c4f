result_type = string
result = "awebb"
