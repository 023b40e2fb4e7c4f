resource "aws_iam_policy" "read" {
  policy = jsonencode(<<POLICY
    { "Effect": "Allow" }
  POLICY)
}
