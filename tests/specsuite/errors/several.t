diagnostics {
  error {
    from {
      line = 1
      column = 1
      byte = 0
    }
    to {
      line = 1
      column = 2
      byte = 1
    }
  }
  error {
    from {
      line = 2
      column = 5
      byte = 10
    }
    to {
      line = 2
      column = 8
      byte = 13
    }
  }
  error {
    from {
      line = 3
      column = 5
      byte = 18
    }
    to {
      line = 3
      column = 8
      byte = 21
    }
  }
}
