"""Differences between two texts, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

from cardgen.text.markup import LINE_BREAK, Icon, Phrase, parse_markup

_TOKEN = re.compile(r"\s+|\{[^{}]*\}|[^\W_]+(?:['’.,-][^\W_]+)*|.", re.DOTALL)
_MOST_TOKENS = 2_000


class Mark(StrEnum):
    """Mark of a part of a text: in both versions, or only in the old or new one."""

    SAME = ""
    OLD = "old"
    NEW = "new"


class MarkedText(NamedTuple):
    """Part of a text; an icon has its name in braces."""

    text: str
    mark: Mark


def word_diff(old: str, new: str) -> tuple[MarkedText, ...]:
    """Return the parts of two texts with markup: the old words before the new ones that replace them."""
    before, after = _tokens(old), _tokens(new)
    if max(len(before), len(after)) > _MOST_TOKENS:
        return _joined((MarkedText("".join(before), Mark.OLD), MarkedText("".join(after), Mark.NEW)))
    return _joined(_parts(before, after))


def _parts(before: Sequence[str], after: Sequence[str]) -> Iterator[MarkedText]:
    for tag, start, stop, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield MarkedText("".join(before[start:stop]), Mark.SAME)
        else:
            yield MarkedText("".join(before[start:stop]), Mark.OLD)
            yield MarkedText("".join(after[first:last]), Mark.NEW)


def _joined(parts: Sequence[MarkedText] | Iterator[MarkedText]) -> tuple[MarkedText, ...]:
    """Join changes with only a space between them, so that a sentence is struck as a whole."""
    runs: list[MarkedText] = []
    pending = {Mark.OLD: "", Mark.NEW: ""}
    for part in (each for each in parts if each.text):
        between = part.mark is Mark.SAME and part.text.isspace() and any(pending.values())
        if between:
            pending = {mark: text + part.text for mark, text in pending.items()}
        elif part.mark is not Mark.SAME:
            pending[part.mark] += part.text
        else:
            runs += _flushed(pending)
            pending = {Mark.OLD: "", Mark.NEW: ""}
            runs.append(part)
    return (*runs, *_flushed(pending))


def _flushed(pending: dict[Mark, str]) -> Iterator[MarkedText]:
    """Yield the old and the new text, without marks on the space after them."""
    old, new = pending[Mark.OLD], pending[Mark.NEW]
    space = new[len(new.rstrip()) :] or old[len(old.rstrip()) :]
    texts = {Mark.OLD: old.rstrip(), Mark.NEW: new.rstrip()}
    if all(texts.values()):
        yield MarkedText(texts[Mark.OLD], Mark.OLD)
        yield MarkedText(" ", Mark.SAME)
        yield MarkedText(texts[Mark.NEW], Mark.NEW)
    else:
        yield from (MarkedText(text, mark) for mark, text in texts.items() if text)
    if space:
        yield MarkedText(space, Mark.SAME)


def _tokens(markup: str) -> list[str]:
    """Return words, spaces, and signs of a text without its markup; paragraphs are joined by a space."""
    paragraphs = ("".join(_plain(part) for part in paragraph) for paragraph in parse_markup(markup))
    return _TOKEN.findall(" ".join(paragraphs))


def _plain(part: Phrase | Icon) -> str:
    return part.text.replace(LINE_BREAK, " ") if isinstance(part, Phrase) else f"{{{part.name}}}"
