"""The web page of a comparison: pictures of both sides, and the data of the page."""
