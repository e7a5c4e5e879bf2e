"""Diagnostics of texts and other parts of a card that do not fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic
from cardgen.face.face import Room
from cardgen.model.entry import Entry
from cardgen.quantity import quantity
from cardgen.text.icons import Icons
from cardgen.text.lines import Fit
from cardgen.validation.suggestion import closest

_INDEX = re.compile(r"[0-9]{1,6}")


def fit_diagnostics(misfits: Iterable[Fit | Room], entry: Entry, icons: Icons) -> Iterator[Diagnostic]:
    """Yield diagnostics for the parts of a card that do not fit."""
    for fit in misfits:
        text = f"'{fit.field.replace('/', '.')}'" if fit.field else "a text"
        problems = _room_problems(fit) if isinstance(fit, Room) else _text_problems(fit, icons)
        for code, message, advice in problems:
            place = entry.place(_key_path(fit.field))
            yield Diagnostic(code, f"{text} of '{entry.card.name}' {message}", place, advice)


def _text_problems(fit: Fit, icons: Icons) -> Iterator[tuple[str, str, str]]:
    if fit.missing:
        characters = ", ".join(f"'{character}' (U+{ord(character):04X})" for character in dict.fromkeys(fit.missing))
        advice = "use other characters, or another font in the theme"
        yield Code.MISSING_GLYPH, f"contains {characters}, which its font does not have", advice
    if fit.excess:
        excess = quantity(fit.excess, "character")
        message = f"is {fit.fill * 100:.0f} % full at {fit.size:g} pt: {excess} too many"
        yield Code.OVERFLOW, message, "shorten it, or enlarge its box in the template"
    for name in fit.unknown_icons:
        suggestion = closest(name, icons.names())
        advice = f"did you mean {{{suggestion}}}?" if suggestion else "write \\{ to print a brace"
        yield Code.UNKNOWN_ICON, f"contains the unknown icon '{name}'", advice


def _room_problems(room: Room) -> Iterator[tuple[str, str, str]]:
    message = f"needs {room.used:.1f} mm, but has only {max(0.0, room.available):.1f} mm"
    yield Code.OVERFLOW, message, "remove something, or give it more room in the template"


def _key_path(field: str) -> tuple[str | int, ...]:
    """Convert a field such as 'abilities/0/text' to a key path."""
    return tuple(int(step) if _INDEX.fullmatch(step) else step for step in field.split("/") if step)
