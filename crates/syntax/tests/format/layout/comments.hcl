a=1#one
bbb=22//two
cccccccccc=333/* not at the end of a line comment */
d=4             # four

e {# at an opening brace
ff=1# in a block
}# at a closing brace
list=[# first
1,# one
# alone
2222,#two
333/* inside */,444,// three
]
/* before */ g=1# with a comment before
#no space is added
##
h=1 /* at the end */
i=2 /* block */ # and line
