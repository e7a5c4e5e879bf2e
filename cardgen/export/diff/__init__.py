"""The web page of a comparison of releases."""
