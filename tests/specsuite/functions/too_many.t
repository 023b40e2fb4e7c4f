diagnostics {
  error {
    from {
      line = 1
      column = 10
      byte = 9
    }
    to {
      line = 1
      column = 11
      byte = 10
    }
  }
}
