resource "terraform_data" "escapes" {
  input = {
    bell     = "a\u0007b"
    others   = "a\u0008b\u000b\u000c\u007f\u00a0"
    combined = "q\u0303"
    heart    = "\u2764\ufe0f"
    joined   = "a\u200db"
    private  = "\ue000"
    "é"      = "1"
    "日本語日本語" = "2"
    json     = "{\"a\":1.5,\"b\":1000,\"c\":[],\"d\":{},\"e\":0,\"f\":1}"
  }
}

resource "terraform_data" "kind" {
  input = "text"
}
