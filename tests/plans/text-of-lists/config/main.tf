output "o00" {
  value = ["b", "d"]
}

output "o01" {
  value = ["d", "b", "e", true]
}

output "o02" {
  value = ["d", "b", "e", "x"]
}

output "o03" {
  value = ["d", "b", "e", "x"]
}

output "o04" {
  value = ["d", true]
}

output "o05" {
  value = ["b", "c", "a"]
}

output "o06" {
  value = ["c", "b", "a"]
}

output "o07" {
  value = ["b", "a"]
}

output "o08" {
  value = ["a", "x", "c", "y"]
}

output "o09" {
  value = ["a", "b"]
}

output "o10" {
  value = ["a", "b", "c"]
}

output "o11" {
  value = ["c", "b", "a"]
}

output "o12" {
  value = tolist(["d", "b", "e", "x"])
}

output "o13" {
  value = tolist(["b", "a"])
}

output "o14" {
  value = [{a=2}, {a=1}]
}

output "o15" {
  value = [{a=1}, {a=2}, {a=3}]
}

output "o16" {
  value = [1, 2, 3]
}

output "o17" {
  value = ["y", "x", "z"]
}

output "o18" {
  value = [null, "a", "b"]
}

output "o19" {
  value = ["a", "a", "y"]
}

output "o20" {
  value = ["a", "a"]
}

output "o21" {
  value = ["b", "b"]
}

output "o22" {
  value = ["b", "b", "y"]
}

output "o23" {
  value = ["r", "q", "a", "a"]
}

output "o24" {
  value = ["b", "z", "a", "w"]
}

output "o25" {
  value = ["b", "c", "a", "q"]
}

output "o26" {
  value = [[2], [3]]
}

output "o27" {
  value = [4, 5, 1]
}

output "o28" {
  value = [3, 4, 5]
}

output "o29" {
  value = [{b=1}, {c=1}]
}

output "o30" {
  value = "b\na\nc"
}

output "o31" {
  value = "c\nb\na"
}

output "o32" {
  value = ["d", "a", "c", "b"]
}

output "o33" {
  value = ["b", "a", "c", "a"]
}

output "o34" {
  value = ["d", "a", "a", "c", "b", "a"]
}
