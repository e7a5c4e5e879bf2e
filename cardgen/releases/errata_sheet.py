"""Errata sheets: changes word by word, set in columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from pydantic import ValidationError

from cardgen.deck.release_file import CardKey
from cardgen.diagnostic import CardgenError
from cardgen.face.face import Face
from cardgen.model.card import Entry
from cardgen.model.card_values import pointer_steps
from cardgen.print.render import CardRenderer, RenderedCard
from cardgen.releases.changes import Change, ChangedCard, ChangedGameValue, ChangedRuling, ChangedValue, Changes
from cardgen.releases.report import both_sides, item_names, look_words, value_label, value_text
from cardgen.releases.selection import Selection, card_key
from cardgen.sheet.columns import (
    NEVER,
    ColumnGrid,
    ColumnItem,
    ItemContent,
    TypesetItem,
    balance_columns,
    column_marks,
)
from cardgen.sheet.leaf import FilledBox, SheetPage, Stroke, TextMark, TypesetLine, whole_page
from cardgen.text.captions import Captions
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import LINE_BREAK, Fit, Icon, IconGlyph, Line, Phrase, Run, Style, parse_markup
from cardgen.units import MM_PER_POINT, Box, Size, to_points

# The faces of cards in an earlier release and now, and where they differ.

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


_GONE = object()
# The number of items that a list can have more than that of the card as it is.
_MOST_ITEMS = 500


def earlier_entry(entry: Entry, change: ChangedCard) -> Entry | None:
    """Return a card with the rules and words that it had before, in its current look.

    A release stores values without their structure, so a value that the card can no longer have makes this impossible:
    the result is then None.
    """
    data = _plain_data(entry.card.model_dump(exclude_unset=True, by_alias=True))
    values = [value for value in change.values if value.key != "id"]
    try:
        return replace(entry, card=type(entry.card).model_validate(_with_values(data, values)))
    except (ValidationError, ValueError, TypeError, LookupError):
        return None


def _plain_data(value: Any) -> Any:
    """Return data with lists instead of tuples and sets."""
    if isinstance(value, Mapping):
        return {str(key): _plain_data(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain_data(item) for item in value]
    return value


def _with_values(data: Any, values: Iterable[ChangedValue]) -> Any:
    """Return a copy of data with the earlier values."""
    changed = _plain_data(data)
    for value in values:
        _put(changed, tuple(pointer_steps(value.key)), _GONE if value.old is None else value.old)
    return _without_gone(changed)


def _put(container: Any, steps: tuple[str, ...], value: object) -> None:
    """Set a value, and make the containers on the way to it."""
    step, *rest = steps
    if isinstance(container, list):
        index = int(step)
        if index > len(container) + _MOST_ITEMS:
            raise LookupError(f"item {index} of {len(container)}")
        while len(container) <= index:
            container.append(_GONE)
        key: Any = index
        missing = container[index] is _GONE
    else:
        key, missing = step, container.get(step) in (None, _GONE)
    if not rest:
        container[key] = value
        return
    if missing:
        if value is _GONE:
            return
        container[key] = [] if rest[0].isdecimal() else {}
    _put(container[key], tuple(rest), value)


def _without_gone(value: Any) -> Any:
    """Return data without values that are gone, and without containers that these leave empty."""
    if isinstance(value, dict):
        items = {key: _without_gone(item) for key, item in value.items()}
        kept: Any = {key: item for key, item in items.items() if item is not _GONE}
    elif isinstance(value, list):
        kept = [item for item in map(_without_gone, value) if item is not _GONE]
    else:
        return value
    return kept if kept or not value else _GONE


# Parts of a look that change only the side without texts.
_BACK = frozenset({"back"})


def printed_changes(
    selection: Selection, rendered: Sequence[RenderedCard], renderer: CardRenderer, qty: int | None
) -> list[PrintedChange]:
    """Return the changes of the cards that are printed, each with its sides before and after if they can be made."""
    cards = {card_key(each): each for each in rendered}
    return [_printed_change(each, cards, renderer, qty) for each in selection.printed]


def _printed_change(
    change: ChangedCard, cards: Mapping[CardKey, RenderedCard], renderer: CardRenderer, qty: int | None
) -> PrintedChange:
    card = cards.get(change.card.key)
    if card is None:  # Only pieces made from it are printed.
        return PrintedChange(change, qty or change.card.qty)
    copies = qty or card.entry.card.qty
    return PrintedChange(change, copies, tuple(_sides(change, card, renderer)), card)


def _sides(change: ChangedCard, card: RenderedCard, renderer: CardRenderer) -> Iterator[SideChange]:
    """Yield the sides of a card that has the same look as before; of others, nothing."""
    if change.old is None or not _BACK.issuperset(change.look):
        return
    earlier = earlier_entry(card.entry, change)
    faces = _earlier_faces(earlier, card, renderer) if earlier else None
    for side, old, new in zip(("front", "back"), faces or (), (card.piece.front, card.piece.back), strict=False):
        if old is not None and new is not None:
            yield SideChange(side, old, new, text_changes(old, new))


def _earlier_faces(earlier: Entry, card: RenderedCard, renderer: CardRenderer) -> tuple[Face, Face | None] | None:
    """Return the faces of the earlier card; None if it cannot be drawn, such as with a card that is gone."""
    try:
        piece, _ = renderer.render_piece(earlier, backs=card.piece.back is not None)
    except (CardgenError, LookupError):
        return None
    return piece.front, piece.back


_ICON, _NO_WIDTH = re.compile(r"\{([^{}\s]+)\}"), "\u200b"
_TOKEN = re.compile(r"\s+|\{[^{}]*\}|[^\W_]+(?:['’.,-][^\W_]+)*|.", re.DOTALL)
_MOST_PAIRS = 100_000
# A word, spaces, or a sign, and how it is printed.
_Token: TypeAlias = tuple[str, str]


class Mark(StrEnum):
    """Mark of a part of a text: in both versions, or only in the old or new one."""

    SAME = ""
    OLD = "old"
    NEW = "new"


class MarkedText(NamedTuple):
    """Part of a text; an icon has its name in braces. `look` is how it is printed, such as 'bold', or ''."""

    text: str
    mark: Mark
    look: str = ""


def word_diff(old: str, new: str) -> tuple[MarkedText, ...]:
    """Return the parts of two texts with markup: the old words before the new ones that replace them."""
    before, after = _tokens(old), _tokens(new)
    counts = Counter(after)
    if sum(counts[token] for token in before) > _MOST_PAIRS:
        return _joined((_marked(before, Mark.OLD), _marked(after, Mark.NEW)))
    return _joined(_parts(before, after))


def _parts(before: Sequence[_Token], after: Sequence[_Token]) -> Iterator[MarkedText]:
    for tag, start, stop, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield _marked(before[start:stop], Mark.SAME)
        else:
            yield _marked(before[start:stop], Mark.OLD)
            yield _marked(after[first:last], Mark.NEW)


def _marked(tokens: Sequence[_Token], mark: Mark) -> MarkedText:
    looks = dict.fromkeys(look for text, look in tokens if not text.isspace())
    return MarkedText("".join(text for text, _ in tokens), mark, ", ".join(filter(None, looks)))


def _joined(parts: Sequence[MarkedText] | Iterator[MarkedText]) -> tuple[MarkedText, ...]:
    """Join changes with only a space between them, so that a sentence is struck as a whole."""
    runs: list[MarkedText] = []
    pending, looks = {Mark.OLD: "", Mark.NEW: ""}, dict[str, None]()
    for part in (each for each in parts if each.text):
        between = part.mark is Mark.SAME and part.text.isspace() and any(pending.values())
        if between:
            pending = {mark: text + part.text for mark, text in pending.items()}
        elif part.mark is not Mark.SAME:
            pending[part.mark] += part.text
            looks |= {part.look: None} if part.mark is Mark.NEW else {}
        else:
            runs += _flushed(pending, looks)
            pending, looks = {Mark.OLD: "", Mark.NEW: ""}, {}
            runs.append(part)
    return (*runs, *_flushed(pending, looks))


def _flushed(pending: dict[Mark, str], looks: Iterable[str]) -> Iterator[MarkedText]:
    """Yield the old and the new text, without marks on the space after them; of equal words, how they look now."""
    old, new = pending[Mark.OLD], pending[Mark.NEW]
    space = new[len(new.rstrip()) :] or old[len(old.rstrip()) :]
    texts = {Mark.OLD: old.rstrip(), Mark.NEW: new.rstrip()}
    if all(texts.values()):
        yield MarkedText(texts[Mark.OLD], Mark.OLD)
        yield MarkedText(" ", Mark.SAME)
        yield MarkedText(texts[Mark.NEW], Mark.NEW)
        if texts[Mark.OLD] == texts[Mark.NEW]:
            yield MarkedText(f" ({', '.join(filter(None, looks)) or 'plain'})", Mark.SAME)
    else:
        yield from (MarkedText(text, mark) for mark, text in texts.items() if text)
    if space:
        yield MarkedText(space, Mark.SAME)


def _tokens(markup: str) -> list[_Token]:
    """Return words, spaces, and signs of a text without its markup; paragraphs are joined by a space."""
    tokens: list[_Token] = []
    for paragraph in parse_markup(markup):
        tokens += [(" ", "")] if tokens else []
        for part in paragraph:
            text, look = (part.text.replace(LINE_BREAK, " "), _look(part)) if isinstance(part, Phrase) else ("", "")
            words = _TOKEN.findall(text) if text else [f"{{{part.name}}}"] if isinstance(part, Icon) else []
            tokens += ((word, "" if word.isspace() else look) for word in words)
    return tokens


def _look(part: Phrase) -> str:
    return " ".join(("bold",) * part.bold + ("italic",) * part.italic + (*part.spans.split(),))


FAMILY = "Source Sans 3"
INK, PALE, OLD, NEW, LINE, TINT = "#1d1a18", "#6a645f", "#9c2b1c", "#0b5a38", "#cfc9c2", "#dcefe2"
TITLE = Style(FAMILY, 20, INK, bold=True)
SUBTITLE = Style(FAMILY, 10, PALE)
HEADING = Style(FAMILY, 12.5, NEW, bold=True)
CARD = Style(FAMILY, 10.5, INK, bold=True)
LABEL = Style(FAMILY, 8, PALE, bold=True)
BODY = Style(FAMILY, 9.5, INK, leading=1.25)
_FOOT = Style(FAMILY, 7.5, PALE)
_MARGIN, _GUTTER, _HEAD, _FOOT_ROOM = 15.0, 8.0, 17.0, 6.0
_COLORS: Mapping[str, str] = {Mark.OLD: OLD, Mark.NEW: NEW}
_TICK_SIZE, _TICK_ROOM = 2.6, 4.6
# The penalty for a column break inside a block.
_BROKEN_BLOCK = 12.0


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraphs that stay together if they can, with the space above them and the line below, in millimeters.

    `ticks` puts a box before the first line, to tick off. `joins` keeps the block with the next one.
    """

    paragraphs: tuple[tuple[tuple[MarkedText, ...], Style], ...]
    above: float = 0.0
    tick: bool = False
    joins: bool = False
    rule: bool = False


def plain(text: str) -> tuple[MarkedText, ...]:
    """Return a text without marks."""
    return (MarkedText(text, Mark.SAME),)


class SheetHead(NamedTuple):
    """Title and subtitle of a sheet."""

    title: str
    subtitle: str


def errata_pages(
    head: SheetHead, blocks: Iterable[Block], paper: Size, compositor: Compositor
) -> list[SheetPage[Face]]:
    """Return the pages of blocks in two columns, or one on narrow paper; those of a single page are equally long."""
    count = 2 if paper.width >= 180 else 1
    width = (paper.width - 2 * _MARGIN - (count - 1) * _GUTTER) / count
    grid = ColumnGrid(count, lambda column: paper.height - _MARGIN - _FOOT_ROOM - _top(column // count))
    items = list(_items(blocks, width, compositor))
    whole = balance_columns(items, grid)
    columns = whole.columns if whole else ()
    if columns and columns[-1].number < count:
        balanced = balance_columns(items, replace(grid, count=count))
        columns = balanced.columns if balanced else columns
    texts: list[list[TextMark]] = [[] for _ in range(columns[-1].number // count + 1 if columns else 1)]
    for column in columns:
        page, place = divmod(column.number, count)
        texts[page] += column_marks(column, _MARGIN + place * (width + _GUTTER), _top(page))
    pages: list[SheetPage[Face]] = []
    for number, text in enumerate(texts, 1):
        around = _head_and_foot(head, number, len(texts), paper, compositor)
        pages.append(whole_page(paper, (*text, *around), name=f"errata {number}"))
    return pages


def _top(page: int) -> float:
    return _MARGIN + (_HEAD if page == 0 else 7.0)


def _items(blocks: Iterable[Block], width: float, compositor: Compositor) -> Iterator[TypesetItem]:
    """Yield the lines of blocks, set to a width."""
    is_joined = False
    for block in blocks:
        indent = _TICK_ROOM if block.tick else 0.0
        lines = [
            (_colored(line), style, number == 0, number in (1, len(lines) - 1))
            for marked, style in block.paragraphs
            for parts in (_said(marked, compositor.captions),)
            for lines in (compositor.set_paragraph(tuple(_phrases(parts, style)), style, width - indent).lines,)
            for number, line in enumerate(lines)
        ]
        for number, (line, style, starts, is_lonely) in enumerate(lines):
            y, height = compositor.baseline(style), style.leading * style.size * MM_PER_POINT
            marks: list[TextMark] = [*_word_marks(line, indent, y, style.size * MM_PER_POINT)]
            if block.tick and not number:
                box = Box(0.2, y - _TICK_SIZE + 0.2, _TICK_SIZE, _TICK_SIZE)
                marks.append(FilledBox(box, "#ffffff", edge=INK, weight=to_points(0.25)))
            marks.append(TypesetLine(line, indent, y))
            if block.rule and number == len(lines) - 1:
                height += 1.4
                marks.append(_rule(0, height - 0.5, width, LINE, 0.2))
            penalty = (NEVER if is_joined else 0.0) if not number else NEVER if starts or is_lonely else _BROKEN_BLOCK
            yield ColumnItem(ItemContent(tuple(marks)), height, 0.0 if number else block.above, break_penalty=penalty)
        is_joined = block.joins


def _said(parts: tuple[MarkedText, ...], captions: Captions) -> tuple[MarkedText, ...]:
    """Return a text without marks, which is the program's own, in the language of the captions; others stay."""
    return plain(captions.translate(parts[0].text)) if len(parts) == 1 and not parts[0].mark else parts


def _colored(line: Line) -> Line:
    """Return a line whose marked runs, and the icons in them, have the color of their mark."""
    pieces = (piece._replace(colour=_COLORS[mark]) if mark else piece for piece, mark in _with_marks(line))
    return Line(tuple(pieces))


def _with_marks(line: Line) -> Iterator[tuple[Run | IconGlyph, str]]:
    """Yield the pieces of a line, each with its mark; icons have that of the run before them."""
    mark = ""
    for piece in line.pieces:
        mark = piece.link if isinstance(piece, Run) else mark
        yield piece, mark


def _phrases(parts: Iterable[MarkedText], style: Style) -> Iterator[Phrase | Icon]:
    """Yield phrases and icons; the link of a phrase is its mark, by which its lines are drawn.

    Icons have no links, so a phrase without a width is before each.
    """
    for part in parts:
        for index, text in enumerate(_ICON.split(part.text)):
            link, bold = part.mark.value, style.bold or part.mark is Mark.NEW
            if index % 2:
                yield Phrase(_NO_WIDTH, bold=bold, link=link)
                yield Icon(text, bold=bold)
            elif text:
                yield Phrase(text, bold=bold, link=link)


def _word_marks(line: Line, x: float, y: float, em: float) -> Iterator[TextMark]:
    """Yield the lines through old words, and the tint and line below new ones."""
    for piece, mark in _with_marks(line):
        start, width = x + piece.x, piece.width
        if mark == Mark.OLD:
            yield _rule(start, y - 0.26 * em, start + width, OLD, 0.3)
        elif mark:
            yield FilledBox(Box(start, y - 0.78 * em, width, em), TINT)
            yield _rule(start, y + 0.14 * em, start + width, NEW, 0.25)


def _head_and_foot(head: SheetHead, number: int, count: int, paper: Size, compositor: Compositor) -> Iterator[TextMark]:
    """Yield the title, or on later pages a running head, with the line below it, and the foot."""

    def line(text: str, style: Style) -> tuple[Line, float]:
        return compositor.set_line((Phrase(compositor.captions.translate(text), bold=style.bold),), style)

    right = paper.width - _MARGIN
    if number > 1:
        yield TypesetLine(line(head.title, LABEL)[0], _MARGIN, _MARGIN + 2.5)
        yield _rule(_MARGIN, _MARGIN + 4, right, NEW, 0.3)
    else:
        yield TypesetLine(line(head.title, TITLE)[0], _MARGIN, _MARGIN + 6)
        yield TypesetLine(line(head.subtitle, SUBTITLE)[0], _MARGIN, _MARGIN + 10.8)
        yield _rule(_MARGIN, _MARGIN + 13, right, NEW, 0.5)
    foot, width = line(f"{head.title} · page {number} of {count}", _FOOT)
    yield TypesetLine(foot, right - width, paper.height - _MARGIN)


def _rule(x1: float, y: float, x2: float, color: str, width: float) -> Stroke:
    """Return a horizontal rule; its width is in millimeters."""
    return Stroke(x1, y, x2, y, colour=color, weight=to_points(width))


_GAP, _SECTION_GAP = 2.2, 5.0


def errata_blocks(
    changes: Changes,
    printed: Sequence[PrintedChange],
    gone: Sequence[ChangedCard],
    updated: Collection[CardKey] = (),
    captions: Captions = Captions(),  # noqa: B008 - it is never changed
) -> Iterator[Block]:
    """Yield the blocks of an errata sheet; cards that are `updated` with stickers stay in use."""
    say = captions.name
    changed = [each for each in printed if each.change.old]
    replaced = [each for each in changed if each.change.card.key not in updated]
    new = [each for each in printed if not each.change.old]
    lost = (f"{each.card.qty} × {_title(each, say)}: gone" for each in gone)
    yield from _section("Throw away", [*(_replaced_line(each, say) for each in replaced), *lost])
    glued = [each for each in changed if each.change.card.key in updated]
    yield from _section("Update with stickers", [f"{each.copies} × {_title(each.change, say)}" for each in glued])
    yield from _section("New cards", [f"{each.copies} × {_title(each.change, say)}" for each in new])
    rules = [*map(_ruling, changes.rulings), *map(_game_value, changes.game_values)]
    if rules:
        yield Block(((plain("Rules of the game"), HEADING),), _SECTION_GAP, joins=True)
        yield from (Block(((tuple(each), BODY),), 0.6) for each in rules)
    if changed:
        yield Block(((plain("Changes"), HEADING),), _SECTION_GAP, joins=True)
    for each in changed:
        yield from _card_blocks(each, captions)


def _section(title: str, lines: Sequence[str]) -> Iterator[Block]:
    if lines:
        yield Block(((plain(title), HEADING),), _SECTION_GAP, joins=True)
        yield from (Block(((plain(line), BODY),), 0.4, tick=True) for line in lines)


def _replaced_line(each: PrintedChange, say: Callable[[str], str]) -> str:
    old = each.change.old
    assert old is not None, "a card that is replaced"
    former = f", now {each.change.card.name}" if old.name != each.change.card.name else ""
    return f"{old.qty} × {old.name} ({each.change.kind(say)}{former}): replaced"


def _title(each: ChangedCard, say: Callable[[str], str]) -> str:
    return f"{each.card.name} ({each.kind(say)})"


def _ruling(each: ChangedRuling) -> Iterator[MarkedText]:
    """Yield the question and its answers."""
    question, before, after = each.words
    yield MarkedText(f"{question} ", Mark.SAME)
    yield from word_diff(before, after)


def _game_value(each: ChangedGameValue) -> Iterator[MarkedText]:
    yield MarkedText(f"{' '.join(each.steps)}: ", Mark.SAME)
    yield from word_diff(value_text(each.old), value_text(each.new))


def _card_blocks(each: PrintedChange, captions: Captions) -> Iterator[Block]:
    """Yield the name of a card, and a block for each change; the first stays with the name."""
    rows = list(_rows(each, captions))
    title = (*word_diff(each.change.old.name, each.change.card.name),) if each.change.old else ()
    kind = MarkedText(f"  {each.change.kind(captions.name)}", Mark.SAME)
    yield Block((((*title, kind), CARD),), _GAP, joins=bool(rows))
    for number, (label, parts) in enumerate(rows, 1):
        paragraphs = ((plain(label), LABEL),) if label else ()
        yield Block((*paragraphs, (tuple(parts), BODY)), 0.5, rule=number == len(rows))


def _rows(each: PrintedChange, captions: Captions) -> Iterator[tuple[str, Iterable[MarkedText]]]:
    """Yield labels and marked texts: printed texts, then other values, the look, and copies."""
    change, names = each.change, item_names(each.change)
    texts = [text for side in each.sides for text in side.texts if text.field != "name" and text.is_sentence]
    for text in _distinct(texts):
        yield value_label(text.field, names, captions.name), word_diff(text.old, text.new)
    values = [value for value in change.values if value.key != "name" and not _is_shown(value, change, texts)]
    for value in values:
        old, new = (value_text(each, say=captions.translate) for each in both_sides(value))
        yield value_label(value.key, names, captions.name), word_diff(old, new)
    if change.look:
        yield "", plain(f"It looks different, because of {look_words(change, captions.translate)}.")
    if Change.COPIES in change.changes and change.old and change.new:
        yield "copies", word_diff(str(change.old.qty), str(change.new.qty))


def _distinct(texts: Iterable[TextChange]) -> list[TextChange]:
    """Return the texts without repetitions, which both sides of a card may print."""
    return list({(text.field, text.old, text.new): text for text in texts}.values())


def _is_shown(value: ChangedValue, change: ChangedCard, texts: Iterable[TextChange]) -> bool:
    """Return whether a changed text is that of the value, or describes the rules that the value belongs to."""
    if any(value.key == text.field for text in texts):
        return True
    is_word = any(card and value.key in card.texts for card in (change.old, change.new))
    return not is_word and any(value.key.startswith(f"{_item(text.field)}/") for text in texts)


def _item(field: str) -> str:
    """Return the pointer of the item that a field describes: 'abilities/0' for 'abilities/0/text'."""
    item, _, last = field.rpartition("/")
    return field if last.isdecimal() or not item else item
