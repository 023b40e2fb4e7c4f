diagnostics {
  error {
    from {
      line = 4
      column = 9
      byte = 57
    }
    to {
      line = 4
      column = 13
      byte = 61
    }
  }
}
