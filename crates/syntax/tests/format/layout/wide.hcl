é=1
日本語=2
ab=3
x={
"é"=1 # one
"👨‍👩‍👧"=22 # two
"日本"="日本" # three
"é"="combining" # four
}
