"""A verdict made into a ``Report`` of plain data, and the report made into sentences, numbers, pages and JSON."""
