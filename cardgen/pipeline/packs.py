"""The pack of one list of cards, such as a warband: all that its player prints, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.deck import CardLibrary, Deck, Entry
from cardgen.model.relations import build_index, find_matches
from cardgen.pipeline.deriving import derive_pieces
from cardgen.pipeline.loading import require_game
from cardgen.rulesets.ruleset import Pack, PackItem
from cardgen.shape.suggestion import did_you_mean, join_words

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
    """Every card and piece of a pack once, each with the number of its copies, in the order of its needs.

    The cards that the list names come first, then those of the deck; what neither has is taken from the `libraries`.
    Raises CardgenError for a card that a piece cannot be made from.
    """
    sources = [tuple(shelf) for shelf in (entry.links.values(), deck.cards, *(each(entry.game) for each in libraries))]
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
    """The card of that id or name on the first shelf that has it; without a name all of the first that has any."""
    for source in sources:
        entries = tuple(entry for entry in source if (entry.game, entry.kind) == (game, kind))
        matches = find_matches(build_index(entries), game, kind, name)[:1] if name else entries
        if matches:
            return matches
    return ()
