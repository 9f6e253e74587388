"""The pages of the built site in a real browser, as readers meet them: one file for each process to take."""
