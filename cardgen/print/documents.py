"""Plan of output files: their cards, derived pieces, and packs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgen.deck.deck import (
    built_in_cards,
    card_files,
    kind_of,
    libraries,
    other_files,
    own_game,
    read_game_settings,
    require_game,
    rules_of,
)
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words, stop_on_errors
from cardgen.model.card import Card, Entry
from cardgen.model.deck import CardLibrary, Deck, build_index, find_matches, read_deck, resolve_links, select_cards
from cardgen.model.left_out import StandIn
from cardgen.print.request import BuildRequest
from cardgen.project.project import Project
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Kind, Pack, PackItem, Ruleset, card_models
from cardgen.validation.validate import validate


class ProjectCards(NamedTuple):
    """The cards of a project in order, and those of them that belong to the requested files."""

    cards: tuple[Entry, ...]
    own: tuple[Entry, ...]

    def with_pieces(self, derive: Callable[[Iterable[Entry]], Iterable[Entry | Diagnostic]]) -> ProjectCards:
        """Return the cards and the pieces that `derive` makes from them.

        Raises CardgenError for requested cards that a piece cannot be made from; others have no such piece.
        """
        requested = frozenset(map(id, self.own))
        cards, own, problems = list(self.cards), list(self.own), list[Diagnostic]()
        for card in self.cards:
            is_own = id(card) in requested
            for outcome in derive((card,)):
                if isinstance(outcome, Entry):
                    cards.append(outcome)
                    own += [outcome] if is_own else []
                elif is_own:
                    problems.append(outcome)
        stop_on_errors(dict.fromkeys(problems))
        return ProjectCards(tuple(cards), tuple(own))

    def numbers(self) -> dict[int, int]:
        """Return the number of each card among those of its kind, by identity."""
        counters: dict[tuple[str, str], Iterator[int]] = {}
        return {id(entry): next(counters.setdefault((entry.game, entry.kind), count(1))) for entry in self.cards}


def project_cards(project: Project, deck: Deck, paths: Sequence[Path]) -> ProjectCards:
    """Return the cards of a project, of which a deck has those of the requested `paths`, by default all.

    Mistakes in other files don't matter: what cannot be read there is left out.
    """
    others = _others(project, paths, dict.fromkeys(card.game for card in deck.cards)) if paths else ()
    if not others:
        return ProjectCards(deck.cards, deck.cards)
    positions = {project.display_path(file): number for number, file in enumerate(project.find_card_files())}
    every = sorted((*deck.cards, *others), key=lambda card: positions.get(card.document.file, len(positions)))
    return ProjectCards(tuple(every), deck.cards)


def _others(project: Project, paths: Sequence[Path], games: Iterable[str]) -> Collection[Entry]:
    """Return the cards of some games in the other files of a project; other games are not even loaded."""
    files = other_files(project, card_files(project, paths))
    if not files:
        return ()
    models = {game: card_models(require_game(game, read_game_settings(project))) for game in games}
    return read_deck(project, files, models, ruleset.default_game()).cards


PackOwner: TypeAlias = tuple[Entry, Pack]


def find_pack_owner(name: str, project: Project, deck: Deck) -> PackOwner:
    """Return the list of cards that matches a name, and its pack.

    The name can be an id; case is ignored. If the deck has no such list, those of the sample cards are searched. Raises
    CardgenError if no list or several match.
    """
    owners = _owners(deck.cards)
    samples = (_owners(built_in_cards(project, game)) for game in _games(project, deck))
    for candidates in (owners, *samples):
        matches = _named(name, candidates)
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise _ambiguous(name, matches)
    first = _games(project, deck)[0]
    pack = require_game(first, project.workspace).pack
    if not owners and pack is None:
        raise _without_lists(name, first)
    kind = owners[0][0].kind if owners else pack.kinds[0] if pack else "list"
    raise _unknown(name, kind, owners or _owners(built_in_cards(project, first)))


def _games(project: Project, deck: Deck) -> Sequence[str]:
    """Return all games; those of the cards and of the project come first."""
    own_games = (entry.game for entry in deck.cards)
    return list(dict.fromkeys((*own_games, own_game(project), *project.workspace.game_ids)))


def _owners(entries: Iterable[Entry]) -> list[PackOwner]:
    """Return the entries that have a pack."""
    packs = ((entry, rules_of(entry).pack) for entry in entries)
    return [(entry, pack) for entry, pack in packs if pack and entry.kind in pack.kinds]


def _named(name: str, owners: Sequence[PackOwner]) -> list[PackOwner]:
    """Return the lists with an id, or else with a name."""
    folded = name.casefold()
    by_id = [owner for owner in owners if folded == owner[0].card.id]
    return by_id or [owner for owner in owners if folded == owner[0].card.name.casefold()]


def _ambiguous(name: str, owners: Sequence[PackOwner]) -> CardgenError:
    related = tuple((entry.place(("name",)), f"id '{entry.card.id}'") for entry, _ in owners)
    message = f"ambiguous name '{name}': {len(owners)} cards match"
    return CardgenError(Diagnostic(Code.NO_SUCH_PACK, message, Place("--warband"), "use an id", related=related))


def _without_lists(name: str, game: str) -> CardgenError:
    message = f"unknown list '{name}': the game '{game}' has no lists"
    return CardgenError(
        Diagnostic(Code.NO_SUCH_PACK, message, Place("--warband"), "add one under 'lists' in its game.yaml")
    )


def _unknown(name: str, kind: str, owners: Sequence[PackOwner]) -> CardgenError:
    names = [entry.card.name for entry, _ in owners]
    message = f"unknown {kind} '{name}'{did_you_mean(name, [*names, *(entry.card.id for entry, _ in owners)])}"
    advice = f"use {join_words(names)}" if names else f"create one with 'cardgen new {kind} NAME'"
    return CardgenError(Diagnostic(Code.NO_SUCH_PACK, message, Place("--warband"), advice))


# Keys about the layout of a card do not apply to a piece of another shape.
_NOT_SHARED = frozenset({"template", "back", "size", "text", "qty", "note", "draft"})


def derive_pieces(entries: Iterable[Entry], kinds: Collection[str] | None = None) -> Iterator[Entry | Diagnostic]:
    """Yield the pieces that can be made from cards, or diagnostics.

    `kinds` are the wanted kinds, by default all. The place of a piece is that of its card.
    """
    for entry in entries:
        for name, kind in rules_of(entry).kinds.items():
            if entry.kind in kind.made_from and (kinds is None or name in kinds):
                yield from _derive_piece(entry, name, kind)


def derived_kinds(rules: Ruleset, *, for_kit: bool = False) -> frozenset[str]:
    """Return the kinds of piece that are made from cards, or only those that belong to a kit."""
    kinds = rules.kinds.items()
    return frozenset(name for name, kind in kinds if kind.made_from and (kind.in_kit or not for_kit))


def _derive_piece(entry: Entry, name: str, kind: Kind) -> Iterator[Entry | Diagnostic]:
    own = kind.values(entry.card) if kind.values else {}
    if own is None:
        return
    values = {**_shared_values(entry.card, kind.model), **own}
    card, problems = validate(kind.model, values, entry.source_map, workspace=entry.workspace)
    yield from problems
    if card is not None:
        yield replace(entry, card=card, kind=name)


def _shared_values(card: Card, model: type[Card]) -> dict[str, object]:
    """Return the keys that a piece takes from its card.

    These are the keys that both have, with the card's own defaults.
    """
    shared = type(card).model_fields.keys() & model.model_fields.keys() - _NOT_SHARED
    return {name: getattr(card, name) for name in shared}


def pack_contents(entry: Entry, pack: Pack, deck: Deck, libraries: Iterable[CardLibrary]) -> list[Entry]:
    """Return every card and piece of a pack once, with its copies.

    They are in the order of the pack's items. Cards that the list names have priority over the deck, and the deck over
    the `libraries`. Raises CardgenError for a card that a piece cannot be made from.
    """
    others = [tuple(source) for source in (deck.cards, *(each(entry.game) for each in libraries))]
    sources = [_linked(entry, others), *others]
    copies: dict[tuple[str, str], int] = {}
    cards: dict[tuple[str, str], Entry] = {}
    problems: list[Diagnostic] = []
    for need in pack.items(entry):
        for match in _cards_for_need(rules_of(entry), need, sources):
            if isinstance(match, Diagnostic):
                problems.append(match)
                continue
            key = (match.kind, match.card.id)
            cards.setdefault(key, match)
            copies[key] = copies.get(key, 0) + need.qty
    stop_on_errors(dict.fromkeys(problems))
    return [replace(found, card=found.card.model_copy(update={"qty": copies[key]})) for key, found in cards.items()]


def _linked(entry: Entry, others: Iterable[Iterable[Entry]]) -> tuple[Entry, ...]:
    """Return the cards that a list names, each with the cards that it references itself."""
    named = tuple(entry.links.values())
    return tuple(resolve_links(named, build_index((*named, *chain.from_iterable(others)))))


def _cards_for_need(rules: Ruleset, need: PackItem, sources: Sequence[Sequence[Entry]]) -> Iterator[Entry | Diagnostic]:
    """Yield the cards that match an item of a pack.

    A piece is made from its card, unless a card of the piece's kind has that name.
    """
    game = rules.id
    if need.where:
        yield from _all_matches(sources, game, need.kind, need.where)
        return
    matches = _first_match(sources, game, need.kind, need.name)
    if matches:
        yield from matches
        return
    for kind in rules.kinds[need.kind].made_from:
        for card in _first_match(sources, game, kind, need.name):
            yield from _first_match(sources, game, need.kind, card.card.name) or derive_pieces((card,), (need.kind,))
            return
    raise LookupError(f"the pack needs a missing {need.kind}: '{need.name}'")


def _first_match(sources: Sequence[Sequence[Entry]], game: str, kind: str, name: str) -> tuple[Entry, ...]:
    """Return the card with an id or name from the first source.

    Without a name, return all cards of the kind from the first source that has any.
    """
    for source in sources:
        entries = tuple(entry for entry in source if (entry.game, entry.kind) == (game, kind))
        matches = find_matches(build_index(entries), game, kind, name)[:1] if name else entries
        if matches:
            return matches
    return ()


def _all_matches(
    sources: Sequence[Sequence[Entry]], game: str, kind: str, where: Callable[[Card], bool]
) -> Iterator[Entry]:
    """Yield the cards of a kind that pass a test.

    Of cards with the same id, only that of the first source counts.
    """
    seen: set[str] = set()
    for entry in (each for source in sources for each in source):
        if (entry.game, entry.kind) == (game, kind) and entry.card.id not in seen and where(entry.card):
            seen.add(entry.card.id)
            yield entry


class Series(NamedTuple):
    """Documents that are joined when pieces of all kinds share sheets.

    `stem` and `title` are those of the joined document. `is_partial` is true if some of its cards are left out.
    """

    stem: str
    title: str
    is_partial: bool = False


class PrintDocument(NamedTuple):
    """Cards of one file, with their numbers.

    `stem` is its name without paper and suffix. `is_partial` is true if some of its cards are left out.
    """

    stem: str
    title: str
    series: Series
    cards: tuple[tuple[int, Entry], ...]
    is_partial: bool = False


def plan_documents(request: BuildRequest, project: Project, deck: Deck) -> list[PrintDocument]:
    """Return the documents to build.

    Raises CardgenError for unknown names, for a card that a piece cannot be made from, and if there are no cards to
    print.
    """
    planned = _pack_documents(request, project, deck) if request.warband else _documents_by_kind(request, project, deck)
    if not planned:
        raise CardgenError(
            Diagnostic(Code.NOTHING_TO_PRINT, "no cards to print", Place(project.display_path(project.root)))
        )
    return planned


def _documents_by_kind(request: BuildRequest, project: Project, deck: Deck) -> list[PrintDocument]:
    """Return one document per kind.

    A card has the same number even if only some cards or files are built. Drafts are left out.
    """
    every = project_cards(project, deck, request.paths)
    pool = every.with_pieces(partial(_requested_pieces, _requested_kinds(request, every.cards)))
    numbers, rest = pool.numbers(), set[tuple[str, str]]()
    if deck.unread:
        numbers = {id(entry): deck.unread.numbers[entry.game, entry.card.id] for entry in pool.cards}
        games = {entry.game: rules_of(entry) for entry in pool.cards}
        rest |= {
            (game, kind) for game, kind in deck.unread.kinds if game in games and games[game].kinds[kind].is_printed
        }
    groups: dict[tuple[str, str], list[tuple[int, Entry]]] = {}
    for entry in filter(is_printed, select_cards(replace(deck, cards=pool.own), request.only).cards):
        groups.setdefault((entry.game, entry.kind), []).append((numbers[id(entry)], entry))
    chosen = {id(entry) for cards in groups.values() for _, entry in cards}
    partial_kinds = rest | {
        (each.game, each.kind) for each in pool.cards if id(each) not in chosen and is_printed(each)
    }
    partial_games = {game for game, _ in partial_kinds}
    return [
        PrintDocument(
            f"{game}-{kind}",
            f"{name}: {kind}",
            Series(f"{game}-kit", f"{name}: kit", game in partial_games),
            tuple(cards),
            (game, kind) in partial_kinds,
        )
        for (game, kind), cards in sorted(groups.items(), key=lambda item: item[0])
        for name in (rules_of(cards[0][1]).name,)
    ]


def is_printed(entry: Entry) -> bool:
    """Return whether builds print a card: drafts, and kinds without a face, are not printed."""
    return kind_of(entry).is_printed and not entry.card.draft


def _requested_kinds(request: BuildRequest, cards: Iterable[Entry]) -> Mapping[str, frozenset[str]]:
    """Return the kinds of pieces to make from cards, by game.

    These are all for a kit, or else the kinds that `only` names.
    """
    requested = {word.casefold() for word in request.only}
    games = {entry.game: entry for entry in cards}
    if not requested and not request.kit:
        return dict.fromkeys(games, frozenset())  # without loading kinds that no card has
    return {
        game: derived_kinds(rules) & requested | (derived_kinds(rules, for_kit=True) if request.kit else frozenset())
        for game, entry in games.items()
        for rules in (rules_of(entry),)
    }


def _requested_pieces(kinds: Mapping[str, frozenset[str]], cards: Iterable[Entry]) -> Iterator[Entry | Diagnostic]:
    for entry in cards:
        if kinds[entry.game] and not entry.card.draft and not isinstance(entry.card, StandIn):
            yield from derive_pieces((entry,), kinds[entry.game])


def _pack_documents(request: BuildRequest, project: Project, deck: Deck) -> list[PrintDocument]:
    """Return the nonempty documents of a list of cards."""
    entry, pack = find_pack_owner(request.warband or "", project, deck)
    entries = pack_contents(entry, pack, deck, libraries(project, card_files(project, request.paths)))
    chosen = select_cards(replace(deck, cards=tuple(entries)), request.only).cards
    planned = []
    for name, kinds in pack.documents.items():
        cards = sorted((each for each in chosen if each.kind in kinds), key=lambda each: kinds.index(each.kind))
        if cards:
            is_partial = len(cards) < sum(each.kind in kinds for each in entries)
            of = Series(f"{entry.card.id}-{name}", f"{entry.card.name}: {name}", is_partial)
            planned.append(PrintDocument(of.stem, of.title, of, tuple(enumerate(cards, 1)), is_partial))
    return planned
