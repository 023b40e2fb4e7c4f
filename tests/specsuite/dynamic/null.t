diagnostics {
  error {
    from {
      line = 2
      column = 14
      byte = 27
    }
    to {
      line = 2
      column = 18
      byte = 31
    }
  }
}
