"""Runs of a text object: parts of a line that are bold or italic, or that look otherwise than the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cardgen.face.inkscape.document import DrawingElement
from cardgen.face.inkscape.looks import TextLook, look_of, own_style

# A placeholder, which can also end on a later line.
_PLACEHOLDER = re.compile(r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)", re.DOTALL)


class _Run(NamedTuple):
    element: DrawingElement
    text: str
    look: TextLook


def marked_line(element: DrawingElement, style: Mapping[str, str]) -> tuple[str, TextLook]:
    """Return the text of a line, with marks for its bold and italic parts, and the look of the rest.

    `style` has the properties around it. Raises ValueError for parts in another color, size, or font.
    """
    runs = [run for run in _runs(element, {**style, **own_style(element)}) if run.text]
    printed = [run for run in runs if run.text.strip()]
    if not printed:
        return "", look_of(style)
    bold, italic = all(run.look.bold for run in printed), all(run.look.italic for run in printed)
    base = printed[0].look._replace(bold=bold, italic=italic)
    inside = _inside_placeholders(runs)
    for run, is_inside in zip(runs, inside, strict=True):
        if run.text.strip() and not is_inside:
            _require_same(run, base)
    marked = (run.text if is_inside else _marked(run, base) for run, is_inside in zip(runs, inside, strict=True))
    return re.sub(r"\s+", " ", "".join(marked)), base


def _runs(element: DrawingElement, style: Mapping[str, str]) -> Iterator[_Run]:
    for each in element.content:
        if isinstance(each, str):
            yield _Run(element, each, look_of(style))
        elif each.tag not in ("title", "desc"):
            yield from _runs(each, {**style, **own_style(each)})


def _inside_placeholders(runs: list[_Run]) -> list[bool]:
    """Return whether each run begins or ends inside a placeholder, where marks would be part of it."""
    spans = [match.span() for match in _PLACEHOLDER.finditer("".join(run.text for run in runs))]
    result, begin = [], 0
    for run in runs:
        end = begin + len(run.text)
        result.append(any(first < edge < last for first, last in spans for edge in (begin, end)))
        begin = end
    return result


def _require_same(run: _Run, base: TextLook) -> None:
    differences = {
        "color": run.look.fill != base.fill,
        "size": run.look.size != base.size,
        "font": run.look.family.lower() != base.family.lower(),
    }
    what = next((name for name, differs in differences.items() if differs), None)
    if what:
        raise ValueError(f"part of it, '{run.text.strip()[:40]}', has another {what}; make it a text of its own")


def _marked(run: _Run, base: TextLook) -> str:
    """Return a run with marks around its words."""
    mark = "**" * (run.look.bold and not base.bold) + "*" * (run.look.italic and not base.italic)
    words = run.text.strip()
    if not mark or not words:
        return run.text
    begin = run.text.index(words)
    return f"{run.text[:begin]}{mark}{words}{mark[::-1]}{run.text[begin + len(words) :]}"
