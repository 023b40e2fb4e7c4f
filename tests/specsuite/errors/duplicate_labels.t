diagnostics {
  error {
    from {
      line = 3
      column = 1
      byte = 10
    }
    to {
      line = 3
      column = 6
      byte = 15
    }
  }
}
