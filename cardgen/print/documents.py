"""Plan of output files: their cards, derived pieces, and packs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cardgen.deck.card_index import CardSource
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
from cardgen.model.card import Entry
from cardgen.model.deck import (
    CardLibrary,
    Deck,
    build_index,
    find_matches,
    read_deck,
    read_files,
    resolve_links,
    select_cards,
)
from cardgen.model.left_out import StandIn
from cardgen.print.request import BuildRequest
from cardgen.project.project import Project
from cardgen.rulesets.ruleset import Kind, Pack, PackItem, Ruleset, card_models
from cardgen.validation.validate import validate


class ProjectCards(NamedTuple):
    """The requested cards of a project in order, with the pieces made from them.

    `numbers` are those that they have in the project among the cards of their kind, by identity. `others` are the games
    and kinds of all other printed cards and pieces.
    """

    cards: tuple[Entry, ...]
    numbers: Mapping[int, int]
    others: frozenset[tuple[str, str]]


_Kinds: TypeAlias = Mapping[str, frozenset[str]]
_Counters: TypeAlias = Mapping[tuple[str, str], Iterator[int]]


def project_cards(project: Project, deck: Deck, paths: Sequence[Path], pieces: _Kinds) -> ProjectCards:
    """Return the cards of a deck of the requested `paths`, by default all, and the `pieces` of some kinds by game.

    Mistakes in other files don't matter: what cannot be read there is left out. Raises CardgenError for requested cards
    that a piece cannot be made from; others have no such piece.
    """
    games = {entry.game: rules_of(entry) for entry in deck.cards}
    source = _other_source(project, paths, games) if paths else None
    numbers, others = dict[int, int](), set(deck.unread.kinds if deck.unread else ())
    counters: _Counters = defaultdict(lambda: count(1))
    known = source.index.items() if source else ()
    named = ((project.display_path(file), card) for file, of_file in known for card in of_file.cards)
    elsewhere = [(file, card) for file, card in named if card.game in games]
    order = {project.display_path(file): at for at, file in enumerate(project.find_card_files() if elsewhere else ())}
    own = [(entry.document.file, entry) for entry in deck.cards]
    for card in _in_order(order, [*own, *elsewhere]):
        number = next(counters[card.game, card.kind])
        if isinstance(card, Entry):
            numbers[id(card)] = deck.unread.numbers[card.game, card.card.id] if deck.unread else number
        elif not card.draft:
            others.add((card.game, card.kind))
    printed = frozenset([(game, kind) for game, kind in others if game in games and games[game].kinds[kind].is_printed])
    cards = ProjectCards(deck.cards, numbers, printed)
    if not any(pieces.values()):
        return cards
    made_from = {
        game: {each for name in names for each in games[game].kinds[name].made_from} for game, names in pieces.items()
    }
    makers = {file for game, kinds in made_from.items() if source and kinds for file in source.files_with(game, kinds)}
    more = source.deck([file for file in source.files if file in makers]).cards if source else ()
    entries = _in_order(order, [*own, *((each.document.file, each) for each in more if each.game in games)])
    # Cards with the pieces made from them; `entries` are all cards of which pieces are made, in order.
    made, numbers, others, problems = list[Entry](), {**cards.numbers}, {*cards.others}, dict[Diagnostic, None]()
    for entry in entries:
        is_source = pieces[entry.game] and not entry.card.draft and not isinstance(entry.card, StandIn)
        for outcome in derive_pieces((entry,), pieces[entry.game]) if is_source else ():
            is_own = id(entry) in cards.numbers
            if isinstance(outcome, Diagnostic):
                problems |= {outcome: None} if is_own else {}
                continue
            number = next(counters[outcome.game, outcome.kind])
            if is_own:
                made.append(outcome)
                numbers[id(outcome)] = number
            elif is_printed(outcome):
                others.add((outcome.game, outcome.kind))
    stop_on_errors(problems)
    return ProjectCards((*cards.cards, *made), numbers, frozenset(others))


def _other_source(project: Project, paths: Sequence[Path], games: Iterable[str]) -> CardSource:
    """Return the cards of some games in the other files of a project; other games are not even loaded."""
    models = {game: card_models(require_game(game, read_game_settings(project))) for game in sorted(games)}
    default = own_game(project)
    return CardSource(
        project,
        other_files(project, card_files(project, paths)),
        lambda file: next(read_files(project, (file,), models, default)),
        lambda files, card_libraries: read_deck(project, files, models, default, card_libraries),
        f"cards of {', '.join(models)}",
    )


def _in_order(order: Mapping[str, int], rows: Iterable[tuple[str, Any]]) -> list[Any]:
    """Return what is in some files, by their paths, in an order of files; others come last."""
    return [row for _, row in sorted(rows, key=lambda row: order.get(row[0], len(order)))]


PackOwner: TypeAlias = tuple[Entry, Pack]


def find_pack_owner(name: str, project: Project, deck: Deck) -> PackOwner:
    """Return the list of cards that matches a name, and its pack.

    The name can be an id; case is ignored. If the deck has no such list, those of the sample cards are searched. Raises
    CardgenError if no list or several match.
    """
    owners = _owners(deck.cards)
    samples = (_owners(built_in_cards(project, game)) for game in _games(project, deck))
    for candidates in (owners, *samples):
        folded = name.casefold()
        by_id = [owner for owner in candidates if folded == owner[0].card.id]
        matches = by_id or [owner for owner in candidates if folded == owner[0].card.name.casefold()]
        if len(matches) == 1:
            return matches[0]
        if matches:
            related = tuple((entry.place(("name",)), f"id '{entry.card.id}'") for entry, _ in matches)
            message = f"ambiguous name '{name}': {len(matches)} cards match"
            raise CardgenError(Diagnostic(Code.NO_SUCH_PACK, message, Place("--warband"), "use an id", related=related))
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
    # The keys that a piece takes from its card. These are the keys that both have, with the card's own defaults.
    shared = type(entry.card).model_fields.keys() & kind.model.model_fields.keys() - _NOT_SHARED
    values = {**{name: getattr(entry.card, name) for name in shared}, **own}
    card, problems = validate(kind.model, values, entry.source_map, workspace=entry.workspace)
    yield from problems
    if card is not None:
        yield replace(entry, card=card, kind=name)


def pack_contents(entry: Entry, pack: Pack, deck: Deck, libraries: Iterable[CardLibrary]) -> list[Entry]:
    """Return every card and piece of a pack once, with its copies.

    They are in the order of the pack's items. Cards that the list names have priority over the deck, and the deck over
    the `libraries`. Raises CardgenError for a card that a piece cannot be made from.
    """
    others = [tuple(source) for source in (deck.cards, *(each(entry.game) for each in libraries))]
    named = tuple(entry.links.values())
    sources = [tuple(resolve_links(named, build_index((*named, *chain.from_iterable(others))))), *others]
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


def _cards_for_need(rules: Ruleset, need: PackItem, sources: Sequence[Sequence[Entry]]) -> Iterator[Entry | Diagnostic]:
    """Yield the cards that match an item of a pack.

    A piece is made from its card, unless a card of the piece's kind has that name.
    """
    game = rules.id
    if need.where:
        # The cards of a kind that pass a test. Of cards with the same id, only that of the first source counts.
        seen: set[str] = set()
        for entry in (each for source in sources for each in source):
            if (entry.game, entry.kind) == (game, need.kind) and entry.card.id not in seen and need.where(entry.card):
                seen.add(entry.card.id)
                yield entry
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
    # The kinds of pieces to make from cards, by game. These are all for a kit, or else the kinds that `only` names.
    requested = {word.casefold() for word in request.only}
    games = {entry.game: entry for entry in deck.cards}
    kinds: dict[str, frozenset[str]] = dict.fromkeys(games, frozenset())
    if requested or request.kit:  # else without loading kinds that no card has
        for game, entry in games.items():
            rules = rules_of(entry)
            kinds[game] = derived_kinds(rules) & requested
            if request.kit:
                kinds[game] |= derived_kinds(rules, for_kit=True)
    pool = project_cards(project, deck, request.paths, kinds)
    groups: dict[tuple[str, str], list[tuple[int, Entry]]] = {}
    for entry in filter(is_printed, select_cards(replace(deck, cards=pool.cards), request.only).cards):
        groups.setdefault((entry.game, entry.kind), []).append((pool.numbers[id(entry)], entry))
    chosen = {id(entry) for cards in groups.values() for _, entry in cards}
    partial_kinds = pool.others | {
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
