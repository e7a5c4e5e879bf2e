"""Preflight: measures finished files against the requirements of a print service."""
