variable "environment" {
  default = "production"
}

variable "is_open" {
  default = true
}

resource "aws_s3_bucket" "logs" {
  bucket = "acme-${var.environment}-logs"
}

resource "aws_s3_bucket_public_access_block" "logs" {
  bucket                  = aws_s3_bucket.logs.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = var.is_open ? false : true
}

resource "aws_security_group" "web" {
  name        = "web"
  description = "Web servers"

  ingress {
    description = "SSH"
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = [var.is_open ? "0.0.0.0/0" : "10.0.0.0/8"]
  }
}

resource "aws_db_instance" "main" {
  engine              = "postgres"
  instance_class      = "db.t3.micro"
  allocated_storage   = 20
  storage_encrypted   = !var.is_open
  publicly_accessible = true
}

module "archive" {
  source = "./bucket"
  name   = "acme-${var.environment}-archive"
}
