"""Reports of changes: text, Markdown, and data for JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from cardgen.deck.release_file import LINKED
from cardgen.diagnostic import join_words
from cardgen.model.card_values import Scalar, is_index, pointer_steps
from cardgen.referee.trial import MOST_LEFT_OUT, NOT_ADJUDICATED, not_adjudicated_lines
from cardgen.releases.changes import (
    NOTHING,
    ORDER,
    Change,
    ChangedCard,
    ChangedGameValue,
    ChangedRuling,
    ChangedValue,
    Changes,
    Meanings,
    meaning_data,
    meaning_lines,
)
from cardgen.runtime import escapes as markdown

TITLES: dict[Change, str] = {
    Change.NEW: "New",
    Change.GONE: "Gone",
    Change.RULES: "Rules changed",
    Change.RENAMED: "Renamed",
    Change.WORDS: "Only words changed",
    Change.TRANSLATIONS: "Only translations changed",
    Change.LOOKS: "Only look changed",
    Change.COPIES: "Only copies changed",
}
_MAX_TEXT = 200
# The id of a commit, of which the first characters are enough for people.
_COMMIT = re.compile(r"^([0-9a-f]{10})[0-9a-f]{30,54}$")


def summary(changes: Changes) -> str:
    """Return the counts of all classes as a line."""
    counts = [(change, len(changes.of(change))) for change in Change]
    parts = ", ".join(f"{count} {_count_label(change)}" for change, count in counts if count)
    return f"{changes.old} → {changes.new}: {parts or 'no cards changed'}"


def _count_label(change: Change) -> str:
    return TITLES[change][0].lower() + TITLES[change][1:]


def as_data(changes: Changes, meanings: Meanings = NOTHING) -> dict[str, object]:
    """Return the changes as plain data; only cards that changed are named."""
    return {
        "old": changes.old,
        "new": changes.new,
        "counts": {change.value: len(changes.of(change)) for change in Change},
        "rulings": [each._asdict() for each in changes.rulings],
        "games": [each._asdict() for each in changes.game_values],
        "languages": dict(changes.languages),
        **({NOT_ADJUDICATED: [*meanings.left_out]} if meanings.left_out else {}),
        "cards": [_card_data(each, meanings) for each in changes.cards],
        **({"notes": [meanings.note]} if meanings.note else {}),
    }


def _card_data(each: ChangedCard, meanings: Meanings) -> dict[str, object]:
    card, old, new = each.card, each.old, each.new
    data: dict[str, object] = {"game": card.game, "kind": card.kind, "id": card.id, "name": card.name}
    data |= {"change": each.change.value, "changes": [change.value for change in each.changes]}
    data["old"] = {"id": old.id, "name": old.name, "copies": old.qty} if old else None
    data["new"] = {"id": new.id, "name": new.name, "copies": new.qty} if new else None
    data |= {"values": [value._asdict() for value in each.values], "look": list(each.look)}
    data["translations"] = [
        {"language": language, **value._replace(key=key)._asdict()}
        for value in each.translations
        for language, _, key in [value.key.partition("/")]
    ]
    meaning = meanings.cards.get(card.key)
    return {**data, "rules of the game": [value.key for value in each.game_values], **meaning_data(meaning)}


_WORDS = (Change.NEW, Change.GONE, Change.RULES, Change.RENAMED, Change.WORDS, Change.TRANSLATIONS)
# The classes of changes that a gate fails on, each also on those of the gates before it.
GATES: Mapping[str, tuple[Change, ...]] = {
    "rules": (Change.NEW, Change.GONE, Change.RULES),
    "words": _WORDS,
    "looks": (*_WORDS, Change.LOOKS),
}


def breaches(changes: Changes, meanings: Meanings, gate: str | None, most: float | None) -> Iterator[str]:
    """Yield a line for each card that a gate refuses: for the class of its change, or for the shift of its score.

    `most` is the largest shift allowed, as a part of all duels, or None. A shift that is not known is too large.
    """
    for each in changes.cards:
        classes = [TITLES[change].lower() for change in each.changes if change in GATES.get(gate or "", ())]
        if classes:
            yield f"{each.card.name}: {join_words(classes, 'and')}"
        meaning, reason = meanings.cards.get(each.card.key), meanings.unknown.get(each.card.key, "")
        if most is None or Change.RULES not in each.changes:
            continue
        if meaning and meaning.old_place and meaning.new_place:
            shift = meaning.new_place.score - meaning.old_place.score
            if abs(shift) > most:
                yield f"{each.card.name}: wins {shift:+.1%} of its duels, more than {most:.1%}"
        elif reason:
            yield f"{each.card.name}: the shift of its balance is not known, because {reason}"


def text_lines(changes: Changes, meanings: Meanings = NOTHING) -> Iterator[str]:
    """Yield the lines of a report for a terminal; before all numbers is what they leave out."""
    yield from not_adjudicated_lines(meanings.left_out, MOST_LEFT_OUT)
    for ruling in changes.rulings:
        yield f"ruling: {ruling_text(ruling)}"
    yield from map(game_value_text, changes.game_values)
    yield from language_lines(changes)
    for change, title in TITLES.items():
        cards = changes.of(change)
        if cards:
            yield f"{title}:"
        for each in cards:
            yield f"  {_title(each)}"
            yield from (f"    {line}" for line in (*_details(each), *_meaning_lines(each, meanings)))
    if meanings.note:
        yield meanings.note
    yield summary(changes)


def markdown_lines(
    changes: Changes, meanings: Meanings = NOTHING, refused: Collection[str] = (), folder: str = ""
) -> Iterator[str]:
    """Yield the lines of a report in Markdown, such as for a pull request.

    `refused` are the cards that a gate refuses, and `folder` is that of the project in its repository.
    """
    place = f" in {markdown.code_span(folder)}" if folder else ""
    old, new = (markdown.escape_markdown(_COMMIT.sub(r"\1", name)) for name in (changes.old, changes.new))
    yield f"## Changed cards{place}: {old} → {new}"
    if refused:
        yield from ("", "### Not allowed", "", *(f"- {markdown.escape_markdown(line)}" for line in refused))
    if not changes.cards and not changes.rulings and not changes.game_values:
        yield from ("", "No cards changed.")
    if changes.languages:
        yield from ("", *(f"- {line}" for line in language_lines(changes)))
    if changes.rulings:
        yield from ("", "### Rulings", "")
        yield from (f"- {markdown.escape_markdown(ruling_text(ruling))}" for ruling in changes.rulings)
    if changes.game_values:
        yield from ("", "### Rules of the game", "")
        yield from (f"- {markdown.escape_markdown(game_value_text(each))}" for each in changes.game_values)
    if meanings.left_out:
        lines = not_adjudicated_lines(meanings.left_out, MOST_LEFT_OUT)
        yield from ("", *(f"- {markdown.escape_markdown(line)}" for line in lines))
    for change, title in TITLES.items():
        cards = changes.of(change)
        if cards:
            yield from ("", f"### {title} ({len(cards)})", "")
        for each in cards:
            yield f"- **{markdown.escape_markdown(each.card.name)}** {markdown.escape_markdown(_suffix(each))}"
            yield from (
                f"  - {markdown.escape_markdown(line)}" for line in (*_details(each), *_meaning_lines(each, meanings))
            )
    if meanings.note:
        yield from ("", markdown.escape_markdown(meanings.note))


def ruling_text(ruling: ChangedRuling) -> str:
    """Return the question of a ruling with its answers before and after."""
    question, before, after = ruling.words
    return f"{question} {before} → {after}"


def language_lines(changes: Changes) -> Iterator[str]:
    """Yield a line for each language that only one of the releases has."""
    return (f"language {tag}: {what}" for tag, what in changes.languages.items())


def game_value_text(each: ChangedGameValue) -> str:
    """Return the value of a game's rules before and after."""
    return f"{each.game} {' '.join(each.steps)}: {value_text(each.old)} → {value_text(each.new)}"


def _title(each: ChangedCard) -> str:
    return f"{value_text(each.card.name)} {_suffix(each)}"


def _suffix(each: ChangedCard) -> str:
    """Return kind and id of a card, and its earlier id."""
    card = each.card
    is_renamed = each.old is not None and each.new is not None and each.old.id != each.new.id
    former = f", formerly {each.old.id}" if is_renamed and each.old else ""
    return f"({card.kind} {card.id}{former})"


def _details(each: ChangedCard) -> Iterator[str]:
    """Yield a line for each value that changed, for the look, and for copies."""
    yield from (f"{label}: {old} → {new}" for label, old, new in value_texts(each))
    yield from look_and_copies(each)


def value_texts(each: ChangedCard, most: int = _MAX_TEXT) -> Iterator[tuple[str, str, str]]:
    """Yield the label of each value that changed, and the value before and after with up to `most` characters."""
    for label, value in labeled_values(each):
        yield label, value_text(value.old, most), value_text(value.new, most)


def labeled_values(each: ChangedCard) -> Iterator[tuple[str, ChangedValue]]:
    """Yield each value that changed with its label, and then its translations, whose labels name their languages."""
    names = item_names(each)
    for value in each.values:
        old, new = both_sides(value)
        yield value_label(value.key, names), value._replace(old=old, new=new)
    for value in each.translations:
        language, _, key = value.key.partition("/")
        yield f"{value_label(key, names)} ({language})", value


def both_sides(value: ChangedValue) -> tuple[Scalar | None, Scalar | None]:
    """Return a value before and after; releases leave out what is false."""
    is_flag = isinstance(value.old, bool) or isinstance(value.new, bool)
    old, new = (False if is_flag and side is None else side for side in (value.old, value.new))
    return old, new


# The parts of a card's look in words.
_LOOK_WORDS = {
    "arms": "its coat of arms",
    "art": "its picture",
    "back": "its back",
    "fonts": "its fonts",
    "icons": "its icons",
    LINKED: "a card that it shows",
    ORDER: "the order of its lists",
    "settings": "its settings",
    "size": "its size",
    "template": "its template",
    "theme": "its theme",
}


def look_words(each: ChangedCard, say: Callable[[str], str] = str) -> str:
    """Return the parts of its look that changed, in words; a release file can name unknown parts."""
    parts = dict.fromkeys(say(_LOOK_WORDS.get(part, "something else")) for part in each.look)
    return join_words([*parts], say("and"))


def look_and_copies(each: ChangedCard) -> Iterator[str]:
    """Yield lines for the rules of the game that concern a card, for its look, and for its copies."""
    for change in each.game_values:
        yield f"rules of the game: {' '.join(change.steps)}"
    if each.look:
        yield f"look: {look_words(each)}"
    if each.old and each.new and each.old.qty != each.new.qty:
        yield f"copies: {each.old.qty} → {each.new.qty}"


def _meaning_lines(each: ChangedCard, meanings: Meanings) -> Iterator[str]:
    meaning = meanings.cards.get(each.card.key)
    return meaning_lines(meaning) if meaning else iter(())


def item_names(each: ChangedCard) -> Mapping[str, Scalar]:
    """Return the labels of fields, and the names of items of lists, such as weapons, by their pointers."""
    texts = {**{value.key: value.old for value in each.values if value.old is not None}, **each.card.texts}
    names = {key.removesuffix("/name"): value for key, value in texts.items() if key.endswith("/name")}
    return {**dict(each.labels), **names}


def value_label(key: str, names: Mapping[str, Scalar], say: Callable[[str], str] = str) -> str:
    """Return the words for a pointer: 'weapons Rifle damage' for 'weapons/0/damage'; `say` translates keys."""
    steps, words = key.split("/"), []
    for number, step in enumerate(steps, 1):
        name = names.get("/".join(steps[:number]))
        word = next(pointer_steps(step))
        words.append(str(name) if name and steps[-1] != "name" else str(int(word) + 1) if is_index(word) else say(word))
    return " ".join(words)


def value_text(value: Scalar | None, most: int = _MAX_TEXT, say: Callable[[str], str] = str) -> str:
    """Return a value as people read it, shortened if it is longer than `most` characters; `say` translates words."""
    if value is None or isinstance(value, bool):
        return say("none" if value is None else "yes" if value else "no")
    text = " ".join(str(value).split())
    return f"{text[:most]}…" if len(text) > most else text
