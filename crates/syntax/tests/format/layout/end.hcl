a = 1
bb=[1,2]   # three 	