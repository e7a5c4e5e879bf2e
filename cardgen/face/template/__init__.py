"""Untrusted Jinja2 templates become SVG, within limits."""
