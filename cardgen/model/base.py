"""The base of every piece of a card; `cardgen.shape` defines it, for the project's settings have it too."""

from cardgen.shape.base import Flag, Int, Model, Number, Text

__all__ = ["Flag", "Int", "Model", "Number", "Text"]
