"""Errata sheet: what to throw away, new cards, and changed texts with the old words struck."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from cardgen.pipeline.release.changes import Change, ChangedCard, ChangedRuling, ChangedValue, Changes
from cardgen.pipeline.release.content.game_changes import ChangedGameValue
from cardgen.pipeline.release.content.released_card import CardKey
from cardgen.pipeline.release.errata.face_changes import PrintedChange, TextChange
from cardgen.pipeline.release.errata.sheet_layout import BODY, CARD, HEADING, LABEL, Block, plain
from cardgen.pipeline.release.errata.word_diff import Mark, MarkedText, word_diff
from cardgen.pipeline.release.report import item_names, value_label, value_text

_GAP, _SECTION_GAP = 2.2, 5.0


def errata_blocks(
    changes: Changes, printed: Sequence[PrintedChange], gone: Sequence[ChangedCard], updated: Collection[CardKey] = ()
) -> Iterator[Block]:
    """Yield the blocks of an errata sheet; cards that are `updated` with stickers stay in use."""
    changed = [each for each in printed if each.change.old]
    replaced = [each for each in changed if each.change.card.key not in updated]
    new = [each for each in printed if not each.change.old]
    yield from _section("Throw away", [*map(_replaced_line, replaced), *map(_gone_line, gone)])
    glued = [each for each in changed if each.change.card.key in updated]
    yield from _section("Update with stickers", [f"{each.copies} × {_title(each.change)}" for each in glued])
    yield from _section("New cards", [f"{each.copies} × {_title(each.change)}" for each in new])
    rules = [*map(_ruling, changes.rulings), *map(_game_value, changes.game_values)]
    if rules:
        yield Block(((plain("Rules of the game"), HEADING),), _SECTION_GAP, joins=True)
        yield from (Block(((tuple(each), BODY),), 0.6) for each in rules)
    if changed:
        yield Block(((plain("Changes"), HEADING),), _SECTION_GAP, joins=True)
    for each in changed:
        yield from _card_blocks(each)


def _section(title: str, lines: Sequence[str]) -> Iterator[Block]:
    if lines:
        yield Block(((plain(title), HEADING),), _SECTION_GAP, joins=True)
        yield from (Block(((plain(line), BODY),), 0.4, tick=True) for line in lines)


def _replaced_line(each: PrintedChange) -> str:
    old = each.change.old
    assert old is not None, "a card that is replaced"
    former = f", now {each.change.card.name}" if old.name != each.change.card.name else ""
    return f"{old.qty} × {old.name} ({old.kind}{former}): replaced"


def _gone_line(each: ChangedCard) -> str:
    return f"{each.card.qty} × {each.card.name} ({each.card.kind}): gone"


def _title(each: ChangedCard) -> str:
    return f"{each.card.name} ({each.card.kind})"


def _ruling(each: ChangedRuling) -> Iterator[MarkedText]:
    """Yield the question and its answers."""
    question, before, after = each.words
    yield MarkedText(f"{question} ", Mark.SAME)
    yield from word_diff(before, after)


def _game_value(each: ChangedGameValue) -> Iterator[MarkedText]:
    yield MarkedText(f"{' '.join(each.steps)}: ", Mark.SAME)
    yield from word_diff(value_text(each.old), value_text(each.new))


def _card_blocks(each: PrintedChange) -> Iterator[Block]:
    """Yield the name of a card, and a block for each change; the first stays with the name."""
    rows = list(_rows(each))
    title = (*word_diff(each.change.old.name, each.change.card.name),) if each.change.old else ()
    kind = MarkedText(f"  {each.change.card.kind}", Mark.SAME)
    yield Block((((*title, kind), CARD),), _GAP, joins=bool(rows))
    for number, (label, parts) in enumerate(rows, 1):
        paragraphs = ((plain(label), LABEL),) if label else ()
        yield Block((*paragraphs, (tuple(parts), BODY)), 0.5, rule=number == len(rows))


def _rows(each: PrintedChange) -> Iterator[tuple[str, Iterable[MarkedText]]]:
    """Yield labels and marked texts: printed texts, then other values, the look, and copies."""
    change, names = each.change, item_names(each.change)
    texts = [text for side in each.sides for text in side.texts if text.field != "name" and text.is_sentence]
    for text in _distinct(texts):
        yield value_label(text.field, names), word_diff(text.old, text.new)
    values = [value for value in change.values if value.key != "name" and not _is_shown(value, change, texts)]
    for value in values:
        yield value_label(value.key, names), word_diff(value_text(value.old), value_text(value.new))
    if change.look:
        yield "", plain(f"New look: {', '.join(change.look)}.")
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
