diagnostics {
  error {
    from {
      line = 1
      column = 11
      byte = 10
    }
    to {
      line = 1
      column = 15
      byte = 14
    }
  }
}
