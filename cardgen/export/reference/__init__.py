"""Reference sheets as typeset PDF, or as one web page."""
