"""New templates: a layout for a kind of card, and a layout that goes on as SVG."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import ceil
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import game_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.face.inkscape_texts import DrawingError
from cardgen.face.layout import as_template
from cardgen.face.template.engine import source_of
from cardgen.face.template.expressions import NUMBER, ListType, MapType, ModelType, ValueType, field_type
from cardgen.model.card import Art, Card
from cardgen.print.request import require_known
from cardgen.project.files import (
    LAYOUT_SUFFIX,
    MAX_TEMPLATE_BYTES,
    TEMPLATE_SUFFIX,
    TEMPLATE_SUFFIXES,
    display_path,
    has_file,
)
from cardgen.project.files import template_text as read_template
from cardgen.project.project import Project
from cardgen.runtime.workspace import GAMES_FOLDER, Workspace
from cardgen.scaffold.cards import write_new, yaml_scalar
from cardgen.text.lines import choice_label, escape_markup, label_width
from cardgen.units import Box, Size

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
    own = project.require_inside(project.root / GAMES_FOLDER / rules.id)
    folder = own / "templates" if own.is_dir() else project.root / "templates" / rules.id
    existing = [path for suffix in TEMPLATE_SUFFIXES if has_file(project.root, path := folder / f"{kind}{suffix}")]
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
        text = read_template(layout)
        content = svg_text(layout, text, project, rules.kinds[name].model)
        if len(content.encode()) > MAX_TEMPLATE_BYTES:
            message = f"the layout is larger than {MAX_TEMPLATE_BYTES // 1024:,} KiB as SVG, which no template may be"
            place = Place(display_path(layout))
            raise CardgenError(Diagnostic(Code.TEMPLATE, message, place, "leave boxes out, or shorten their texts"))
    else:
        found = rules.kinds[name]
        size = found.size_of(found.model.model_construct(), project.settings.sizes.get(name))
        content = layout_text(found.model, size) if kind == name else back_text(size, rules.name)
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
        if not has_file(project.root, frame):
            raise LookupError(file)
        return source_of(frame, read_template(frame), read_frame)

    try:
        return as_template(source_of(path, text, read_frame), is_picture)
    except DrawingError as error:
        lines = (Diagnostic(Code.TEMPLATE, message, Place(display_path(path))) for _, message in error.mistakes)
        raise CardgenError(*error.diagnostics, *lines) from None


# Heights in mm: of the name, of a row of numbers, and of the motto.
_NAME, _NUMBERS, _MOTTO = 9.4, 10.8, 4.6
_MOST_NUMBERS = 8
# The least width of a number with its label, and the largest, and the space between two labels, in mm.
_CELL, _WIDE_CELL, _PAD = 11.5, 21.0, 0.6
# The least height of a picture and of a text, in mm, and the share of a picture that is seen if it fills its box.
_PICTURE, _TEXT, _LEAST_SEEN = 9.0, 9.0, 0.6
# The space around a name and a text in their panels, in mm, and the size of a label that is as wide
# as a name of 11 points beside a number, in points.
_NAME_PAD, _TEXT_PAD, _NAME_SIZE = 1.6, 1.5, 9.5
_GAP = 2.2
# The size of the body type in points, and what it takes: a letter along the line, and a line, in mm.
_BODY = 9.0
_LETTER, _LEADING = _BODY * 0.155, _BODY * 0.441
# How many letters the text of a card has if nobody knows, and each of the words above it.
_LETTERS, _WORD = 110, 18
# The same of a number that stands with the words, without its label.
_DIGITS = 5
_PLAIN = re.compile(r"[A-Za-z][\w.-]*|[0-9.]+pt")
_HEAD = """\
# A layout of {what}: boxes in paint order, in millimeters from the corner of the trim; each has 'at: [left,
# top, width, height]'. Colors, fonts, and text styles come from the theme. 'cardgen build --watch' shows
# what it looks like, and 'cardgen studio' lets you move the boxes by hand.
"""


class KnownCards(NamedTuple):
    """What is known of the cards of a kind: a layout has room for it.

    `letters` is the length of the longest text of a card, `name` the longest name, or '', `has_motto` whether any card
    may have a motto, and `proportion` the width of most pictures, as a multiple of their height, or 0. `rare` are the
    fields that many cards do not have.
    """

    letters: int | None = None
    name: str = ""
    has_motto: bool = True
    proportion: float = 0
    rare: Collection[str] = ()


_NOTHING = KnownCards()


def layout_text(model: type[Card], size: Size, known: KnownCards = _NOTHING) -> str:
    """Return a layout with the fields of a kind of card, from top to bottom."""
    inset = round(min(min(size) * 0.08, 5), 1)
    return written_layout("the front", size, _front_boxes(model, size, inset, known), "paper")


def back_text(size: Size, name: str) -> str:
    """Return a layout of a back with the name of a game."""
    return written_layout("the back", size, _back_boxes(size, name), "back")


def written_layout(what: str, size: Size, boxes: Iterable[Mapping[str, object]], background: str = "") -> str:
    """Return the text of a layout of a side with boxes."""
    head = [f"size: [{size.width:g}, {size.height:g}]"]
    head += [f"background: {_written(background)}"] if background else []
    lines = (", ".join(f"{key}: {_written(value)}" for key, value in box.items()) for box in boxes)
    listed = [f"  - {{{line}}}" for line in lines]
    return _HEAD.format(what=what) + "\n".join((*head, "boxes:" if listed else "boxes: []", *listed)) + "\n"


def _written(value: object) -> str:
    if isinstance(value, str):
        word = value.replace("_", "-").replace(".", "-")
        is_plain = _PLAIN.fullmatch(value) and (value[0].isdigit() or yaml_scalar(word) == word)
        return value if is_plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Iterable):
        return f"[{', '.join(map(_written, value))}]"
    return f"{round(value, 2):g}" if isinstance(value, float) else str(value)


def _back_boxes(size: Size, name: str) -> Iterator[dict[str, object]]:
    short = min(size)
    edge, middle = round(short * 0.07, 1), size.height * 0.45
    frame = {"stroke": "gilt", "stroke_width": 0.4}
    yield {"shape": "rect", "at": (edge, edge, size.width - 2 * edge, size.height - 2 * edge), "radius": 2.0, **frame}
    for share in (0.5, 0.42):
        side = short * share
        yield {"shape": "ellipse", "at": ((size.width - side) / 2, middle - side / 2, side, side), **frame}
    side = short * 0.24
    yield {"icons": "gem", "at": ((size.width - side) / 2, middle - side / 2, side, side), "fill": "gilt"}
    foot = middle + short * 0.27
    tall = min(short * 0.16, size.height - edge - foot)
    plate = (2 * edge, foot, size.width - 4 * edge, tall)
    yield {"text": escape_markup(name), "at": plate, "style": "back", "align": "center", "valign": "middle"}


def _front_boxes(model: type[Card], size: Size, inset: float, known: KnownCards) -> Iterator[dict[str, object]]:
    wide, foot = size.width - 2 * inset, size.height - inset
    fields = _fields(model)
    # A number whose label is too long for a cell stands with the words, and so does one that would leave many gaps.
    often = ((each, label) for each, label in fields.numbers.items() if each not in known.rare)
    widths = {each: label_width(label) + _PAD for each, label in often}
    numbers = [each for each, need in widths.items() if need <= min(_WIDE_CELL, wide)][:_MOST_NUMBERS]
    per_row = max(1, int(wide / max([_CELL, *(widths[each] for each in numbers)])))
    rows = [numbers[start : start + per_row] for start in range(0, len(numbers), per_row)]
    # A single number is beside short names, at the right end of their plate.
    beside = max(_CELL, widths[numbers[0]]) if len(numbers) == 1 else 0.0
    name_width = label_width(known.name) * _NAME_SIZE / 7
    if beside and known.name and name_width <= wide - beside - _GAP - 2 * _NAME_PAD:
        rows = []
    else:
        beside = 0.0
    plate = _NUMBERS if beside else _NAME
    top, bottom = inset + plate + _GAP, foot - (_MOTTO if known.has_motto else 0)
    while rows and bottom - top - len(rows) * (_NUMBERS + _GAP / 2) < _TEXT + _PICTURE:
        rows.pop()
    shown = [*numbers[:1], *chain.from_iterable(rows)] if beside else [*chain.from_iterable(rows)]
    words = [*(each for each in fields.all if each not in shown), "text", *(() if known.has_motto else ("motto",))]
    margin = inset * 0.4
    around = (margin, margin, size.width - 2 * margin, size.height - 2 * margin)
    yield {"shape": "rect", "at": around, "radius": 2.0, "stroke": "line", "stroke_width": 0.3}
    middle = {"align": "center", "valign": "middle"}
    number = {"style": "number", "size": "17pt", **middle, "label": "above"}
    name = wide - beside - (_GAP / 2 if beside else 0)
    yield {"shape": "rect", "at": (inset, inset, name, plate), "radius": 1.4, "fill": "plaque", "stroke": "frame"}
    yield {"field": "name", "at": (inset + _NAME_PAD, inset + 0.5, name - 2 * _NAME_PAD, plate - 1), **middle}
    if beside:
        left = inset + wide - beside
        yield {"shape": "rect", "at": (left, inset, beside, plate), "radius": 1.0, "fill": "panel", "stroke": "line"}
        yield {"field": numbers[0], "at": (left, inset + 0.3, beside, plate - 0.6), **number}
    for row in rows:
        cell = min(wide / len(row), _WIDE_CELL)
        left = inset + (wide - cell * len(row)) / 2
        panel = (left, top, cell * len(row), _NUMBERS)
        yield {"shape": "rect", "at": panel, "radius": 1.0, "fill": "panel", "stroke": "line"}
        yield {"each": row, "at": (left, top + 0.3, cell, _NUMBERS - 0.6), "step": (cell, 0), **number}
        top += _NUMBERS + _GAP / 2
    top += _GAP / 2 if rows else 0
    free = bottom - top
    letters = known.letters if known.letters is not None else _LETTERS + _WORD * (len(words) - 1)
    letters += sum(len(label) + _DIGITS for each, label in fields.numbers.items() if each in words)
    # Words and numbers share a paragraph; the text of the card and each list have one of their own.
    pad = _TEXT_PAD if letters else 0.0
    lines = ceil(letters * _LETTER / (wide - 2 * pad)) + 0.5 * min(len(words), 2 + fields.lists) + 0.5
    text = min(max(lines * _LEADING + 2 * pad, _TEXT), max(free - _PICTURE - _GAP, free * 0.6))
    picture = free - text - _GAP
    if picture >= _PICTURE * 0.8:
        yield from _picture_boxes(fields.pictures, Box(inset, top, wide, picture), known.proportion)
        top += picture + _GAP
    if letters:
        panel = (inset, top, wide, bottom - top)
        yield {"shape": "rect", "at": panel, "radius": 1.4, "fill": "panel", "stroke": "line"}
    told = (inset + pad, top + pad, wide - 2 * pad, bottom - top - 2 * pad)
    yield {"each": words, "at": told, "style": "body", "label": "before"}
    if known.has_motto:
        yield {"field": "motto", "at": (inset, bottom, wide, _MOTTO), "align": "center", "valign": "bottom"}


def _picture_boxes(own: Sequence[str], area: Box, proportion: float) -> Iterator[dict[str, object]]:
    """Yield the picture of a card or its coat of arms, or the first picture of its kind with the others on it.

    Pictures are whole if most would lose much more than their edges in the area.
    """
    stretch = proportion * area.height / area.width
    is_whole = stretch and min(stretch, 1 / stretch) < _LEAST_SEEN
    place: dict[str, object] = {"at": area, "radius": 1.2, **({"fit": "contain"} if is_whole else {})}
    yield {"field": "art", **place} | ({"unless": own[0]} if own else {})
    if not own:
        yield {"shape": "emblem", "at": area, "unless": "art"}
    for index, each in enumerate(own):
        side = min(area.height * 0.4, area.width / len(own))
        left, top = area.x + area.width - index * side, area.y + area.height - side
        corner = {"at": (left, top, side, side), "fit": "contain"}
        yield {"field": each, **(corner if index else place)}


class _Fields(NamedTuple):
    """Fields of a kind: numbers, also inside a part such as `stats`, pictures, and all but pictures.

    The last of these are `lists`, or parts. Numbers have their labels.
    """

    numbers: dict[str, str]
    pictures: list[str]
    all: list[str]
    lists: int


def _fields(model: type[Card]) -> _Fields:
    numbers: dict[str, str] = {}
    pictures: list[str] = []
    every: list[str] = []
    lists: list[str] = []
    for name, info in model.model_fields.items():
        kind = field_type(ModelType((model,)), name)
        if name in Card.model_fields:
            continue
        if kind == ModelType((Art,)):
            pictures.append(name)
        elif isinstance(kind, ModelType) and (inside := [*_numbers_in(kind)]):
            parts = {f"{name}.{each}": kind.models[0].model_fields[each] for each in inside}
            numbers |= {path: info.title or choice_label(path.rpartition(".")[2]) for path, info in parts.items()}
            every += parts
        else:
            numbers |= {name: info.title or choice_label(name)} if kind == NUMBER else {}
            (lists if isinstance(kind, ListType | MapType | ModelType) else every).append(name)
    return _Fields(numbers, pictures, every + lists, len(lists))


def _numbers_in(part: ModelType) -> Iterator[str]:
    names = part.models[0].model_fields if len(part.models) == 1 else ()
    return (name for name in names if field_type(part, name) == NUMBER)
