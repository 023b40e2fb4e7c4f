error[core:invalid-argument]: Invalid function argument
 --> main.tf:5:56, in output "o"
  |
5 |  value = length([for i in range(10) : length(regexall("(?P<x>((a)))", [local.s][i*0]))])
  |                                                        ^^^^^^^^^^^^
  |
  = The argument "pattern" of the function "regexall" is not valid: invalid regular expression: either all groups have a name or none.

1 error: no values printed
help: `--keep-going` prints the values that are known in spite of errors
Command exited with non-zero status 1
0.00+0.00 22240
