"""Names in a theme of fonts, colors, and font families that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgen.diagnostic import Diagnostic, Place
from cardgen.face import codes
from cardgen.source import KeyPath
from cardgen.source.document import Document
from cardgen.validation.suggestion import did_you_mean

if TYPE_CHECKING:
    from cardgen.face.theme import Theme

# Returns what is wrong with a font family, or an empty text.
FamilyProblem = Callable[[str], str]


def reference_problems(
    theme: Theme, documents: Sequence[Document], family_problem: FamilyProblem | None
) -> Iterator[Diagnostic]:
    """Yield an error for each name that a theme refers to and that does not exist.

    `documents` are the files of the theme, lowest priority first. Font families are not checked without
    `family_problem`.
    """
    for name, family in theme.fonts.items() if family_problem else ():
        if family_problem and (message := family_problem(family)):
            yield Diagnostic(codes.THEME, message, _place(documents, ("fonts", name)))
    named = {"font": ("font", theme.fonts), "colour": ("color", theme.colours), "emphasis": ("color", theme.colours)}
    for name, style in theme.styles.items():
        for key, (what, entries) in named.items():
            reference = getattr(style, key)
            is_written = key in style.model_fields_set and reference
            if is_written and reference not in entries and not reference.startswith("#"):
                yield Diagnostic(
                    codes.THEME, unknown(what, reference, entries), _place(documents, ("styles", name, key))
                )


def unknown(what: str, name: str, entries: Mapping[str, Any]) -> str:
    """Return the message for a name that a theme does not have."""
    hint = f"one of {', '.join(sorted(entries))}" if entries else "it has none"
    return f"unknown {what} '{name}' in the theme{did_you_mean(name, sorted(entries)) or f' ({hint})'}"


def _place(documents: Sequence[Document], key_path: KeyPath) -> Place:
    """Return the place of a value in the file of the highest priority that has it."""
    for document in reversed(documents):
        data: Any = document.data
        for step in key_path:
            data = data.get(step) if isinstance(data, dict) else None
        if data is not None:
            return document.place(key_path)
    return documents[-1].place(key_path)
