"""Builds of a project, and the preview of one card."""
