project     = "harbour"
environment = "prod"

network = {
  zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
}

tiers = {
  web = {
    offset = 0
    public = true
    ingress = [
      { port = 80, from = ["0.0.0.0/0"], description = "redirects to https" },
      { port = 443, from = ["0.0.0.0/0"] },
    ]
  }
  app = {
    offset  = 16
    ingress = [{ port = 8080 }]
  }
  data = {
    offset  = 32
    ingress = [{ port = 5432 }, { port = 53, protocol = "udp" }]
  }
}

database_password = "correct-horse-battery-staple"
