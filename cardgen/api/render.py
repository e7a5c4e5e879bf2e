"""Draws a card as a picture."""

from __future__ import annotations

from typing import Literal, overload

from cardgen.api.arguments import bad_argument, in_own_context, require_between
from cardgen.api.deck import Card
from cardgen.options import LEAST_DPI, MOST_DPI, PRINT_DPI
from cardgen.validation.suggestion import did_you_mean, join_words

FORMATS = ("svg", "png", "pdf")
SIDES = ("front", "back")


@overload
def render(
    card: Card,
    format: Literal["svg"] = "svg",
    side: Literal["front", "back"] = "front",
    theme: str | None = None,
    dpi: int = PRINT_DPI,
) -> str: ...
@overload
def render(
    card: Card,
    format: Literal["png", "pdf"],
    side: Literal["front", "back"] = "front",
    theme: str | None = None,
    dpi: int = PRINT_DPI,
) -> bytes: ...
@in_own_context
def render(
    card: Card,
    format: Literal["svg", "png", "pdf"] = "svg",  # noqa: A002 - the name that the commands use
    side: Literal["front", "back"] = "front",
    theme: str | None = None,
    dpi: int = PRINT_DPI,
) -> str | bytes:
    """Draw one side of a card, cropped to its trim.

    Templates, themes, and fonts are read once per deck. If you change them, load the deck again.

    Args:
        card: A card of a deck.
        format: 'svg', 'png', or 'pdf'.
        side: 'front' or 'back'.
        theme: The theme, such as 'low-ink'. By default, the theme of the card or the project.
        dpi: The resolution of PNG files in dots per inch, from 36 to 1200.

    Returns:
        The content of the file: text for SVG, bytes for PNG and PDF. The picture has the size of the card in
        millimeters; fonts are embedded.

    Raises:
        TypeError: `card` is not a card of a deck.
        CardgenError: The card cannot be drawn: its text does not fit, its art or theme is missing, cards of its kind
            are not printed, or it has no back; or the format, side, or resolution is invalid.

    """
    if not isinstance(card, Card):
        raise TypeError(f"render() needs a card of a deck, not {type(card).__name__}; cardgen.load() returns a deck")
    _require_one_of("format", format, FORMATS)
    _require_one_of("side", side, SIDES)
    content = card._source.render(card._entry, format, side, theme, require_between("dpi", dpi, LEAST_DPI, MOST_DPI))
    return content.decode() if format == "svg" else content


def _require_one_of(name: str, value: str, values: tuple[str, ...]) -> None:
    if value not in values:
        message = f"unknown {name} '{value}'{did_you_mean(str(value), values)}"
        raise bad_argument(name, message, f"use {join_words(repr(each) for each in values)}")
