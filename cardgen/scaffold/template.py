"""New templates: a layout for a kind of card, and a layout that goes on as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from cardgen.deck.deck import game_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.face.inkscape_texts import DrawingError
from cardgen.face.layout import as_template
from cardgen.face.template.engine import source_of
from cardgen.face.template.expressions import NUMBER, ListType, MapType, ModelType, ValueType, field_type
from cardgen.model.card import Art, Card
from cardgen.print.request import require_known
from cardgen.project.files import LAYOUT_SUFFIX, TEMPLATE_SUFFIX, TEMPLATE_SUFFIXES, display_path, require_inside
from cardgen.project.files import template_text as read_template
from cardgen.project.project import Project
from cardgen.runtime.workspace import GAMES_FOLDER, Workspace
from cardgen.scaffold.cards import write_new
from cardgen.units import Size

_BACK = ".back"


def new_template(kind: str, game: str | None = None, workspace: Workspace | None = None, *, svg: bool = False) -> Path:
    """Write a layout for a kind of card, such as 'brave' or 'brave.back', and return its file.

    With `svg`, write the layout that there is as SVG, which has priority from then on. Raises CardgenError for an
    unknown kind, if the kind has a template already, and for a layout with mistakes.
    """
    project = Project.open(workspace)
    rules = game_of(project, game)
    name = kind.removesuffix(_BACK)
    require_known(name, tuple(rules.kinds), f"kind of card in {rules.name}:", Place("KIND"))
    own = project.root / GAMES_FOLDER / rules.id
    folder = own / "templates" if own.is_dir() else project.root / "templates" / rules.id
    existing = [path for suffix in TEMPLATE_SUFFIXES if (path := folder / f"{kind}{suffix}").is_file()]
    target = folder / f"{kind}{TEMPLATE_SUFFIX if svg else LAYOUT_SUFFIX}"
    layout = folder / f"{kind}{LAYOUT_SUFFIX}"
    if svg and layout not in existing:
        message, advice = f"there is no layout '{display_path(layout)}'", f"'cardgen new template {kind}' writes one"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--svg"), advice))
    taken = target if target in existing else next(iter(existing), None) if not svg else None
    if taken:
        message = "the kind has this template already; left unchanged"
        raise CardgenError(Diagnostic(Code.FILE_EXISTS, message, Place(display_path(taken)), "edit it, or remove it"))
    if svg:
        text = read_template(require_inside(project.root, layout, display_path(layout)))
        content = svg_text(layout, text, project, rules.kinds[name].model)
    else:
        found = rules.kinds[name]
        size = found.size_of(found.model.model_construct(), project.settings.sizes.get(name))
        content = layout_text(found.model, size, is_back=kind != name)
    write_new({target: content.encode()})
    return target


def svg_text(path: Path, text: str, project: Project, model: type[Card]) -> str:
    """Return the SVG template of the layout with a text, for cards of a kind.

    Raises CardgenError with all its mistakes.
    """

    def is_picture(field: str) -> bool:
        kind: ValueType | None = ModelType((model,))
        for name in field.split("."):
            kind = field_type(kind, name) if isinstance(kind, ModelType) else None
        return kind == ModelType((Art,))

    def read_frame(file: str) -> str:
        frame = path.with_name(file)
        if not frame.is_file():
            raise LookupError(file)
        return source_of(frame, read_template(require_inside(project.root, frame, display_path(frame))), read_frame)

    try:
        return as_template(source_of(path, text, read_frame), is_picture)
    except DrawingError as error:
        lines = (Diagnostic(Code.TEMPLATE, message, Place(display_path(path))) for _, message in error.mistakes)
        raise CardgenError(*error.diagnostics, *lines) from None


# Heights in mm: of the name, of a row of numbers, of a line with a label, and of the motto.
_NAME, _NUMBERS, _LINE, _MOTTO = 9.4, 11.0, 4.6, 4.6
_MOST_NUMBERS, _MOST_LINES = 8, 4
# The least height of the picture with the gaps around it, in mm.
_PICTURE = 10.0
# The least width of a number with its label, in mm.
_CELL = 13.0
_GAP = 1.6


def layout_text(model: type[Card], size: Size, *, is_back: bool = False) -> str:
    """Return a layout with the fields of a kind of card, from top to bottom."""
    what = "the back" if is_back else "the front"
    lines = [
        f"# A layout of {what}: boxes in paint order, in millimeters from the corner of the trim; each has 'at: [left,",
        "# top, width, height]'. Colors, fonts, and text styles are those of the theme. 'cardgen build --watch' shows",
        "# what it looks like, and 'cardgen studio' lets you move the boxes by hand.",
        f"size: [{size.width:g}, {size.height:g}]",
        f"background: {'back' if is_back else 'paper'}",
        "boxes:",
    ]
    inset = round(min(min(size) * 0.08, 5), 1)
    boxes = _back_boxes(size) if is_back else _front_boxes(model, size, inset)
    return "\n".join((*lines, *(f"  - {{{each}}}" for each in boxes))) + "\n"


def _back_boxes(size: Size) -> Iterator[str]:
    side = round(min(size) * 0.4, 1)
    yield f"icons: gem, at: {_at((size.width - side) / 2, (size.height - side) / 2, side, side)}, fill: gilt"


def _front_boxes(model: type[Card], size: Size, inset: float) -> Iterator[str]:
    wide, foot = size.width - 2 * inset, size.height - inset
    numbers, others = _fields(model)
    yield f"shape: rect, at: {_at(inset, inset, wide, _NAME)}, radius: 1.4, fill: plaque, stroke: frame"
    yield f"field: name, at: {_at(inset + 1.6, inset + 0.5, wide - 3.2, _NAME - 1)}, align: center, valign: middle"
    bottom = foot - _MOTTO
    text = (foot - inset) * 0.2
    per_row = max(1, int(wide / _CELL))
    rows = [numbers[start : start + per_row] for start in range(0, len(numbers), per_row)]
    top = inset + _NAME + _GAP
    while (free := bottom - top - len(rows) * (_NUMBERS + _GAP) - sum(others.values())) < text + _PICTURE:
        if not (others or rows):
            break
        if others:
            others.popitem()
        else:
            rows.pop()
    picture = max(free - text - 2 * _GAP, 1)
    yield f"field: art, at: {_at(inset, top, wide, picture)}, radius: 1.2"
    yield f"shape: emblem, at: {_at(inset, top, wide, picture)}, unless: art"
    top += picture + _GAP
    for row in rows:
        cell = wide / len(rows[0])
        place = f"at: {_at(inset, top, cell, _NUMBERS)}, step: [{cell:.5g}, 0]"
        look = "style: number, size: 17pt, align: center, valign: middle, label: below"
        yield f"each: [{', '.join(row)}], {place}, {look}"
        top += _NUMBERS + _GAP
    for field, height in others.items():
        yield f"field: {field}, at: {_at(inset, top, wide, height)}, label: before"
        top += height
    yield f"field: text, at: {_at(inset, top, wide, max(bottom - top - _GAP / 2, _LINE))}"
    yield f"field: motto, at: {_at(inset, bottom, wide, _MOTTO)}, align: center, valign: bottom"


def _at(*box: float) -> str:
    return f"[{', '.join(f'{round(each, 2):g}' for each in box)}]"


def _fields(model: type[Card]) -> tuple[Sequence[str], dict[str, float]]:
    """Return the first numbers of a kind, also inside a part such as `stats`, and the heights of its other fields."""
    numbers: list[str] = []
    others: dict[str, float] = {}
    for name in model.model_fields:
        kind = field_type(ModelType((model,)), name)
        if name in Card.model_fields:
            continue
        if kind == NUMBER:
            numbers.append(name)
        elif isinstance(kind, ModelType) and (inside := [*_numbers_in(kind)]):
            numbers += [f"{name}.{each}" for each in inside]
        else:
            others[name] = 2 * _LINE if isinstance(kind, ListType | MapType) else _LINE
    return numbers[:_MOST_NUMBERS], dict(islice(others.items(), _MOST_LINES))


def _numbers_in(part: ModelType) -> Iterator[str]:
    names = part.models[0].model_fields if len(part.models) == 1 else ()
    return (name for name in names if field_type(part, name) == NUMBER)
