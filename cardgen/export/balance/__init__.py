"""The balance of a collection as one self-contained web page."""
