a = b & c | d
e = 'f'
g = h; i = `j`
k = “l”
m = "n
o = "p ${q("r
s = "\x41 \ud800 \u12"
t = 1
