resource "demo_legacy" "a" {
  name = "x"
  policy = "{\"a\":1.5,\"b\":1000,\"c\":0,\"d\":[1,2.0]}"
}
resource "terraform_data" "t" {
  input = "{\"a\":1.5,\"b\":1E3,\"c\":-0,\"d\":[1.00,2]}"
}
resource "terraform_data" "n" {
  input = "{\"a\":1.50,\"b\":1e3,\"c\":-0,\"d\":[1.0,2], \"e\": \"[1.0]\", \"f\":\"x\\ny\"}"
}
