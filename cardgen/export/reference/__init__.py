"""Reference sheets: typeset as PDF pages, or as one web page."""
