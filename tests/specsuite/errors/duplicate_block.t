diagnostics {
  error {
    from {
      line = 3
      column = 1
      byte = 6
    }
    to {
      line = 3
      column = 2
      byte = 7
    }
  }
}
