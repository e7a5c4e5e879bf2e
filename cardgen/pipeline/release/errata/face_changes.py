"""Texts that changed between two versions of a card's faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from cardgen.face.face import Face
from cardgen.pipeline.build.render import RenderedCard
from cardgen.pipeline.release.changes import ChangedCard
from cardgen.text.lines import Fit
from cardgen.units import Box

_FEWEST_WORDS = 4


class TextChange(NamedTuple):
    """A printed text before and after, with its places on the face; '' for one that is missing.

    `field` is the path of the text in the card's data, or ''.
    """

    field: str
    old: str
    new: str
    boxes: tuple[Box, ...]

    @property
    def is_sentence(self) -> bool:
        """True for a text of the card's data that says more than a name or a number."""
        return bool(self.field) and max(len(self.old.split()), len(self.new.split())) >= _FEWEST_WORDS


@dataclass(frozen=True, slots=True)
class SideChange:
    """A side of a card before and after, and its changed texts."""

    side: str
    old: Face
    new: Face
    texts: tuple[TextChange, ...]


@dataclass(frozen=True, slots=True)
class PrintedChange:
    """A changed card with its sides; without `sides`, the earlier faces cannot be made.

    `card` is the card as it is printed, unless only pieces made from it are.
    """

    change: ChangedCard
    copies: int
    sides: tuple[SideChange, ...] = ()
    card: RenderedCard | None = None


def text_changes(old: Face, new: Face) -> tuple[TextChange, ...]:
    """Return the texts of two faces that differ."""
    before, after = _fits(old), _fits(new)
    matcher = SequenceMatcher(None, [_key(fit) for fit in before], [_key(fit) for fit in after], autojunk=False)
    return tuple(
        change
        for tag, start, stop, first, last in matcher.get_opcodes()
        if tag != "equal"
        for change in _paired(before[start:stop], after[first:last])
    )


def _fits(face: Face) -> list[Fit]:
    return [fit for fit in face.fits if isinstance(fit, Fit) and fit.markup]


def _key(fit: Fit) -> tuple[str, str]:
    return fit.field, fit.markup


def _paired(before: Sequence[Fit], after: Sequence[Fit]) -> Iterator[TextChange]:
    """Yield the changes of a block of texts; those of one field belong together."""
    rest = list(after)
    for old in before:
        new = next((fit for fit in rest if fit.field == old.field), None)
        if new:
            rest.remove(new)
        yield _change(old, new)
    yield from (_change(None, new) for new in rest)


def _change(old: Fit | None, new: Fit | None) -> TextChange:
    both = [fit for fit in (old, new) if fit]
    boxes = tuple(fit.box for fit in both if fit.box)
    return TextChange(both[0].field, old.markup if old else "", new.markup if new else "", boxes)
