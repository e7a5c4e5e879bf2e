"""cardgen: printable cards and references for tabletop skirmish games."""

__version__ = "0.1.0"
