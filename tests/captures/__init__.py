"""Generated Ascend captures: written by `generator`, broken by `edits`, held against the corpus by `test_generator`."""
