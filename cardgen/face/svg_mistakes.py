"""Mistakes in the SVG that templates write, at the lines of the templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cardgen.diagnostic import CardgenError, Code, Diagnostic
from cardgen.face.template.engine import RenderedTemplate, source_lines
from cardgen.face.template.report import LocatedOutput, svg_diagnostic
from cardgen.runtime.regular_file import UnsavedFiles
from cardgen.svg.chunks import BoxElement, find_faults
from cardgen.svg.tree import SvgError

CheckBox = Callable[[BoxElement], object]


def all_svg_mistakes(
    error: SvgError, rendered: RenderedTemplate, located: RenderedTemplate, check_box: CheckBox, unsaved: UnsavedFiles
) -> Iterable[Diagnostic]:
    """Return the diagnostics of all faults of a rendered SVG, of which `error` is one.

    `located` is the same output with the lines of its templates.
    """
    faults = find_faults(_as_bytes(rendered.svg), check_box)
    if str(error) not in set(map(str, faults)):
        faults.append(error)
    output = LocatedOutput(located.svg, located.marks) if located.svg == rendered.svg else None
    return dict.fromkeys(svg_diagnostic(each, rendered.path, output, unsaved) for each in faults)


def with_svg_mistakes(
    error: CardgenError,
    locate: Callable[[], RenderedTemplate],
    check_box_of: Callable[[RenderedTemplate], CheckBox],
    unsaved: UnsavedFiles,
) -> CardgenError:
    """Return the mistakes of a template together with those in the rest of its SVG.

    `locate` renders the template without its mistakes. Other errors are returned as they are.
    """
    mistakes = error.diagnostics
    if any(each.code != Code.TEMPLATE or each.place.span is None for each in mistakes):
        return error
    try:
        located = locate()
    except CardgenError:
        return error
    return CardgenError(*mistakes, *_svg_mistakes_besides(mistakes, located, check_box_of(located), unsaved))


def _svg_mistakes_besides(
    mistakes: Iterable[Diagnostic], located: RenderedTemplate, check_box: CheckBox, unsaved: UnsavedFiles
) -> Iterator[Diagnostic]:
    """Yield the faults in the output of a template with mistakes that do not follow from these.

    Such a fault is on another line of the template, which contains the wrong word itself.
    """
    output = LocatedOutput(located.svg, located.marks)
    lines = {(Path(each.place.file).name, each.place.span.line) for each in mistakes if each.place.span}
    for fault in find_faults(_as_bytes(located.svg), check_box):
        file, number = output.line_at(fault.offset) or ("", 0)
        if (
            fault.culprit
            and (Path(file).name, number) not in lines
            and fault.culprit in _line_of(file, number, unsaved)
        ):
            yield svg_diagnostic(fault, located.path, output, unsaved)


def _as_bytes(svg: str) -> bytes:
    return svg.encode("utf-8", "surrogatepass")


def _line_of(file: str, number: int, unsaved: UnsavedFiles) -> str:
    lines = source_lines(Path(file), unsaved) if file else ()
    return lines[number - 1] if 0 < number <= len(lines) else ""
