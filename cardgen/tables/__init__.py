"""Tables of cards, with the place of every value.

The formats are CSV, XLSX, ODS, JSON, and JSON Lines.
"""
