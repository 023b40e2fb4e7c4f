diagnostics {
  error {
    from {
      line = 1
      column = 1
      byte = 0
    }
    to {
      line = 1
      column = 1
      byte = 0
    }
  }
}
