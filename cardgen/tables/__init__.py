"""Read tables of cards: CSV, XLSX, ODS, JSON, and JSON Lines, with the place of every value."""
