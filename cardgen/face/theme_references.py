"""Names in a theme of fonts, colors, and font families that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Place
from cardgen.source import KeyPath
from cardgen.source.document import Document
from cardgen.validation.base import Model
from cardgen.validation.suggestion import did_you_mean

# Returns what is wrong with a font family, or an empty text.
FamilyProblem = Callable[[str], str]


def unknown_families(
    fonts: Mapping[str, str], documents: Sequence[Document], family_problem: FamilyProblem
) -> Iterator[Diagnostic]:
    """Yield an error for each font family that does not exist.

    `documents` are the files of the theme, lowest priority first.
    """
    for name, family in fonts.items():
        if message := family_problem(family):
            yield Diagnostic(Code.THEME, message, place_in(documents, ("fonts", name)))


def unknown_names(
    styles: Mapping[str, Model], fonts: Mapping[str, str], colours: Mapping[str, str], documents: Sequence[Document]
) -> Iterator[Diagnostic]:
    """Yield an error for each font or color that a text style names and the theme does not have."""
    named = {"font": ("font", fonts), "colour": ("color", colours), "emphasis": ("color", colours)}
    for name, style in styles.items():
        for key, (what, entries) in named.items():
            reference = getattr(style, key)
            is_written = key in style.model_fields_set and reference
            if is_written and reference not in entries and not reference.startswith("#"):
                yield Diagnostic(
                    Code.THEME, unknown(what, reference, entries), place_in(documents, ("styles", name, key))
                )


def unknown(what: str, name: str, entries: Mapping[str, Any]) -> str:
    """Return the message for a name that a theme does not have."""
    hint = f"one of {', '.join(sorted(entries))}" if entries else "it has none"
    return f"unknown {what} '{name}' in the theme{did_you_mean(name, sorted(entries)) or f' ({hint})'}"


def place_in(documents: Sequence[Document], key_path: KeyPath) -> Place:
    """Return the place of a value in the file of the highest priority that has it."""
    for document in reversed(documents):
        data: Any = document.data
        for step in key_path:
            data = data.get(step) if isinstance(data, dict) else None
        if data is not None:
            return document.place(key_path)
    return documents[-1].place(key_path)
