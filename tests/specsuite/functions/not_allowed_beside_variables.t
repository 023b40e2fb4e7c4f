diagnostics {
  error {
    from {
      line = 1
      column = 5
      byte = 4
    }
    to {
      line = 1
      column = 13
      byte = 12
    }
  }
}
