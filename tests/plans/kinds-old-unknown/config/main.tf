resource "demo_legacy" "base" {
  name = "base"
}
resource "demo_legacy" "a" {
  name        = demo_legacy.base.arn
  description = "d-${demo_legacy.base.id}"
  size        = demo_legacy.base.port
  zones       = demo_legacy.base.endpoints
  labels      = [demo_legacy.base.id, "a"]
  tags        = { Name = demo_legacy.base.id, b = "b" }
  tags_all    = demo_legacy.base.tags_all
  policy      = jsonencode({ a = demo_legacy.base.id })
  triggers    = { for k, v in { a = "x" } : k => demo_legacy.base.token }
  rule {
    port  = demo_legacy.base.port
    cidrs = demo_legacy.base.endpoints
  }
  setting {
    key = demo_legacy.base.id
  }
  setting {
    key    = "k"
    secret = demo_legacy.base.id
  }
  grant {
    who = demo_legacy.base.id
  }
}
output "all" {
  value     = demo_legacy.a
  sensitive = true
}
output "some" {
  value = [demo_legacy.a.tags, demo_legacy.a.rule]
}
