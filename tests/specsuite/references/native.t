traversals {
  expect {
    ref = name
    from {
      line = 1
      column = 6
      byte = 5
    }
    to {
      line = 1
      column = 10
      byte = 9
    }
  }
  expect {
    ref = tags.env
    from {
      line = 1
      column = 12
      byte = 11
    }
    to {
      line = 1
      column = 20
      byte = 19
    }
  }
  expect {
    ref = zones[0]
    from {
      line = 3
      column = 7
      byte = 31
    }
    to {
      line = 3
      column = 15
      byte = 39
    }
  }
}
result = { a = ["web", "prod"], b = "a" }
