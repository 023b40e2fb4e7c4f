a="${b}"
c="${ b.c[ 0 ] }"
d="${~ e ~}"
f="${g("${h}")}"
i="${"j"}"
m="${n}${o}"
p="x${q}"
r="${s}x"
t="${u}"=="${v}"
w=["${x}"]
y=f("${z}")
object={
  a="${b}"
}
block "x" {
  a="${b}" # comment
  nested { a="${b}" }
}
over_lines="${
  a ? b :
  c
}"
call_over_lines="${f(
  a
)}"
in_parens="${(
  a
)}"
line_around="${

  a

}"
comment_inside="${a # why
}"
block_comment="${ /* why */ a }"
heredoc="${<<E
text
E
}"
heredoc_with_sequence="${<<E
${text}
E
}"
directive="%{ if a }b%{ endif }"
object_value="${{ a = 1 }}"
string_in_index="${a["${b}"]}"
parens=("${a}")
