b "x" {
}
b "x" {
}
