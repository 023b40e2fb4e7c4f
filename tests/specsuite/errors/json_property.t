diagnostics {
  error {
    from {
      line = 1
      column = 2
      byte = 1
    }
    to {
      line = 1
      column = 5
      byte = 4
    }
  }
}
