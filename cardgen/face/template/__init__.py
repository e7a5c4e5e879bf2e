"""Untrusted Jinja2 templates rendered to SVG, within limits."""
