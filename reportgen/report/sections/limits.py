"""How much of a long table or text the PDF shows; report.json holds everything."""

DIFFERING, EQUAL, IDENTITY, UNREAD = 40, 30, 12, 10
"""Compared facts and unread files in the PDF; of the identities the HTML shows no more either."""
OPERATORS, FILES = 25, 60
"""Operator types and files in the PDF."""
KEY, VALUE, TEXT = 90, 120, 400
"""Characters of a name, of a recorded value and of a passage in the PDF; the middle of a longer one is left out."""
SHORT_DIGEST = 16
"""Digits of a digest where it only tells captures apart."""
