"""Reference sheets drawn: as pages of a PDF, and as a web page."""
