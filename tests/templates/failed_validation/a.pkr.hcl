source "null" "x" {
  communicator = "none"
}

variable "name" {
  default = "abc"
  validation {
    condition     = length(var.name) > 3
    error_message = "The name must be longer."
  }
}

build {
  sources = ["null.x"]
}
