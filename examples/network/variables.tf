variable "project" {
  description = "Short name that every resource starts with."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,15}$", var.project))
    error_message = "The project must be 2 to 16 lower-case letters, digits or dashes, and start with a letter."
  }
}

variable "environment" {
  type    = string
  default = "dev"

  validation {
    condition     = contains(["dev", "staging", "prod"], var.environment)
    error_message = "The environment must be one of dev, staging and prod."
  }
}

variable "network" {
  description = "The address range of the whole network, and the zones it spreads over."
  type = object({
    cidr_block = optional(string, "10.0.0.0/16")
    zones      = list(string)
  })

  validation {
    condition     = can(cidrsubnet(var.network.cidr_block, 8, 0))
    error_message = "The network needs room for subnets: write a range such as 10.0.0.0/16."
  }
}

variable "tiers" {
  description = "One group of subnets, one per zone, and one security group for each tier."
  type = map(object({
    offset = number
    public = optional(bool, false)
    ingress = optional(list(object({
      port        = number
      protocol    = optional(string, "tcp")
      from        = optional(list(string))
      description = optional(string, "managed by terraform")
    })), [])
  }))
}

variable "database_password" {
  type      = string
  sensitive = true
}
