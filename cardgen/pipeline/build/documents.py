"""Which cards, derived pieces and packs go into which output file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.card import Card
from cardgen.model.deck import CardLibrary, Deck, select_cards
from cardgen.model.entry import Entry
from cardgen.model.references import build_index, find_matches
from cardgen.pipeline.load.deck import libraries, require_game
from cardgen.pipeline.options import BuildRequest
from cardgen.project import Project
from cardgen.rulesets.ruleset import Kind, Pack, PackItem
from cardgen.validation.suggestion import did_you_mean, join_words
from cardgen.validation.validate import validate

# What says how a card is printed says nothing of how a piece of another shape is.
_NOT_SHARED = frozenset({"template", "back", "size", "text", "qty", "note"})


def derive_pieces(entries: Iterable[Entry], kinds: Collection[str] | None = None) -> Iterator[Entry | Diagnostic]:
    """The pieces that can be made from some cards, or what is wrong with a card that one cannot be made from.

    `kinds` are those that are wanted, by default all. The place of a piece is that of its card.
    """
    for entry in entries:
        for name, kind in require_game(entry.game).kinds.items():
            if entry.kind in kind.made_from and (kinds is None or name in kinds):
                yield from _derive_piece(entry, name, kind)


def derived_kinds(game: str) -> frozenset[str]:
    """The kinds of piece that are made from cards."""
    return frozenset(name for name, kind in require_game(game).kinds.items() if kind.made_from)


def _derive_piece(entry: Entry, name: str, kind: Kind) -> Iterator[Entry | Diagnostic]:
    card, problems = validate(kind.model, _shared_values(entry.card, kind.model), entry.source_map)
    yield from problems
    if card is not None:
        yield replace(entry, card=card, kind=name)


def _shared_values(card: Card, model: type[Card]) -> dict[str, object]:
    """What a piece takes over from its card: the keys that both have, with the card's own defaults."""
    shared = type(card).model_fields.keys() & model.model_fields.keys() - _NOT_SHARED
    return {name: getattr(card, name) for name in shared}


NO_SUCH_PACK = "CG540"


def find_pack_owner(name: str, deck: Deck) -> tuple[Entry, Pack]:
    """The one list of cards with that id or name, in capitals or not, and what belongs to such a list.

    Raises CardgenError when there is none, or more than one.
    """
    packs = {game: require_game(game).pack for game in dict.fromkeys(entry.game for entry in deck.cards)}
    owners = [(each, pack) for each in deck.cards if (pack := packs[each.game]) and each.kind == pack.kind]
    folded = name.casefold()
    matches = [pair for pair in owners if folded == pair[0].card.id] or [
        pair for pair in owners if folded == pair[0].card.name.casefold()
    ]
    if len(matches) == 1:
        return matches[0]
    names = [entry.card.name for entry, _ in owners]
    place = Place("--warband")
    if matches:
        related = tuple((entry.place(("name",)), f"one has the id '{entry.card.id}'") for entry, _ in matches)
        message = f"'{name}' is the name of {len(matches)} cards"
        raise CardgenError(Diagnostic(NO_SUCH_PACK, message, place, "write an id", related=related))
    message = f"there is no warband '{name}'{did_you_mean(name, [*names, *(entry.card.id for entry, _ in owners)])}"
    advice = (
        f"there is {join_words(names)}" if names else "there is none in these files; 'cardgen new warband' writes one"
    )
    raise CardgenError(Diagnostic(NO_SUCH_PACK, message, place, advice))


def pack_contents(entry: Entry, pack: Pack, deck: Deck, libraries: Iterable[CardLibrary]) -> list[Entry]:
    """Return every card and piece of a pack once, with its number of copies, in the order of the pack's items.

    The cards that the list names come first, then those of the deck; what neither has is taken from the `libraries`.
    Raises CardgenError for a card that a piece cannot be made from.
    """
    sources = [
        tuple(source) for source in (entry.links.values(), deck.cards, *(each(entry.game) for each in libraries))
    ]
    copies: dict[tuple[str, str], int] = {}
    cards: dict[tuple[str, str], Entry] = {}
    problems: list[Diagnostic] = []
    for need in pack.items(entry):
        for match in _cards_for_need(entry.game, need, sources):
            if isinstance(match, Diagnostic):
                problems.append(match)
                continue
            key = (match.kind, match.card.id)
            cards.setdefault(key, match)
            copies[key] = copies.get(key, 0) + need.qty
    stop_on_errors(dict.fromkeys(problems))
    return [replace(found, card=found.card.model_copy(update={"qty": copies[key]})) for key, found in cards.items()]


def _cards_for_need(game: str, need: PackItem, sources: Sequence[Sequence[Entry]]) -> Iterator[Entry | Diagnostic]:
    """The cards that are needed; a piece is made from its card, unless there is one that has the card's name."""
    if need.where:
        yield from _all_matches(sources, game, need.kind, need.where)
        return
    matches = _first_match(sources, game, need.kind, need.name)
    if matches:
        yield from matches
        return
    for kind in require_game(game).kinds[need.kind].made_from:
        for card in _first_match(sources, game, kind, need.name):
            yield from _first_match(sources, game, need.kind, card.card.name) or derive_pieces((card,), (need.kind,))
            return
    raise LookupError(f"the pack needs a {need.kind} '{need.name}', which is nowhere")


def _first_match(sources: Sequence[Sequence[Entry]], game: str, kind: str, name: str) -> tuple[Entry, ...]:
    """Return the card of that id or name in the first source that has it; without a name, all cards of one source."""
    for source in sources:
        entries = tuple(entry for entry in source if (entry.game, entry.kind) == (game, kind))
        matches = find_matches(build_index(entries), game, kind, name)[:1] if name else entries
        if matches:
            return matches
    return ()


def _all_matches(
    sources: Sequence[Sequence[Entry]], game: str, kind: str, where: Callable[[Card], bool]
) -> Iterator[Entry]:
    """Yield the cards of a kind that pass a test; of those with the same id, the first."""
    seen: set[str] = set()
    for entry in (each for source in sources for each in source):
        if (entry.game, entry.kind) == (game, kind) and entry.card.id not in seen and where(entry.card):
            seen.add(entry.card.id)
            yield entry


NOTHING_TO_PRINT = "CG522"


class Series(NamedTuple):
    """Documents that become one where pieces of all kinds share sheets: the name of that, and its title."""

    stem: str
    title: str


@dataclass(frozen=True, slots=True)
class PrintDocument:
    """Cards that go into one file: its name without paper and suffix, its title, and the cards with their numbers."""

    stem: str
    title: str
    series: Series
    cards: tuple[tuple[int, Entry], ...]


def plan_documents(request: BuildRequest, project: Project, deck: Deck) -> list[PrintDocument]:
    """What is to be built, and in which files.

    Raises CardgenError for names that nothing has, for a card that a piece cannot be made from, and where nothing is
    left to print.
    """
    planned = _pack_documents(request, project, deck) if request.warband else _documents_by_kind(request, deck)
    if not planned:
        raise CardgenError(
            Diagnostic(NOTHING_TO_PRINT, "there is no card to print", Place(project.display_path(project.root)))
        )
    return planned


def _documents_by_kind(request: BuildRequest, deck: Deck) -> list[PrintDocument]:
    """One document for each kind; a card keeps its number when only some cards are built."""
    pool = replace(deck, cards=(*deck.cards, *_requested_pieces(request, deck)))
    numbers: dict[tuple[str, str], Iterator[int]] = {}
    numbered = {id(entry): next(numbers.setdefault((entry.game, entry.kind), count(1))) for entry in pool.cards}
    groups: dict[tuple[str, str], list[tuple[int, Entry]]] = {}
    for entry in select_cards(pool, request.only).cards:
        if require_game(entry.game).kinds[entry.kind].is_printed:
            groups.setdefault((entry.game, entry.kind), []).append((numbered[id(entry)], entry))
    return [
        PrintDocument(f"{game}-{kind}", f"{name}: {kind}", Series(f"{game}-kit", f"{name}: kit"), tuple(cards))
        for (game, kind), cards in sorted(groups.items(), key=lambda item: item[0])
        for name in (require_game(game).name,)
    ]


def _requested_pieces(request: BuildRequest, deck: Deck) -> Iterator[Entry]:
    """The pieces made from cards: all for the whole kit, else those whose kind is asked for by its name."""
    requested = {word.casefold() for word in request.only}
    for game in dict.fromkeys(entry.game for entry in deck.cards):
        kinds = derived_kinds(game) if request.kit else derived_kinds(game) & requested
        if kinds:
            yield from _derive_all((entry for entry in deck.cards if entry.game == game), kinds)


def _derive_all(entries: Iterable[Entry], kinds: Iterable[str]) -> list[Entry]:
    outcomes = list(derive_pieces(entries, frozenset(kinds)))
    stop_on_errors(dict.fromkeys(each for each in outcomes if isinstance(each, Diagnostic)))
    return [each for each in outcomes if isinstance(each, Entry)]


def _pack_documents(request: BuildRequest, project: Project, deck: Deck) -> list[PrintDocument]:
    """The documents of one list of cards, such as a warband, without those in which nothing is."""
    entry, pack = find_pack_owner(request.warband or "", deck)
    entries = pack_contents(entry, pack, deck, libraries(project, project.find_card_files(request.paths)))
    chosen = select_cards(replace(deck, cards=tuple(entries)), request.only).cards
    planned = []
    for name, kinds in pack.documents.items():
        cards = sorted((each for each in chosen if each.kind in kinds), key=lambda each: kinds.index(each.kind))
        if cards:
            of = Series(f"{entry.card.id}-{name}", f"{entry.card.name}: {name}")
            planned.append(PrintDocument(*of, of, tuple(enumerate(cards, 1))))
    return planned
