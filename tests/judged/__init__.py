"""Judged cases, by room: an input, the reason that a reader expects of it, and where that expectation comes from."""
