"""The pack of one list of cards, such as a warband: all that its player prints, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.deck import Deck, Entry, Library
from cardgen.model.relations import index, matching
from cardgen.pipeline.deriving import derived
from cardgen.pipeline.loading import game_called
from cardgen.rulesets.ruleset import Need, Pack
from cardgen.shape.suggestion import did_you_mean, listed

NO_SUCH_PACK = "CG540"


def owner(name: str, deck: Deck) -> tuple[Entry, Pack]:
    """The one list of cards with that id or name, in capitals or not, and what belongs to such a list.

    Raises CardgenError when there is none, or more than one.
    """
    packs = {game: game_called(game).pack for game in dict.fromkeys(entry.game for entry in deck.cards)}
    lists = [(each, pack) for each in deck.cards if (pack := packs[each.game]) and each.kind == pack.kind]
    wanted = name.casefold()
    found = [pair for pair in lists if wanted == pair[0].card.id] or [
        pair for pair in lists if wanted == pair[0].card.name.casefold()
    ]
    if len(found) == 1:
        return found[0]
    names = [entry.card.name for entry, _ in lists]
    place = Place("--warband")
    if found:
        related = tuple((entry.place(("name",)), f"one has the id '{entry.card.id}'") for entry, _ in found)
        message = f"'{name}' is the name of {len(found)} cards"
        raise CardgenError(Diagnostic(NO_SUCH_PACK, message, place, "write an id", related=related))
    message = f"there is no warband '{name}'{did_you_mean(name, [*names, *(entry.card.id for entry, _ in lists)])}"
    advice = f"there is {listed(names)}" if names else "there is none in these files; 'cardgen new warband' writes one"
    raise CardgenError(Diagnostic(NO_SUCH_PACK, message, place, advice))


def contents(entry: Entry, pack: Pack, deck: Deck, libraries: Iterable[Library]) -> list[Entry]:
    """Every card and piece of a pack once, each with the number of its copies, in the order of its needs.

    The cards that the list names come first, then those of the deck; what neither has is taken from the `libraries`.
    Raises CardgenError for a card that a piece cannot be made from.
    """
    shelves = [tuple(shelf) for shelf in (entry.links.values(), deck.cards, *(each(entry.game) for each in libraries))]
    copies: dict[tuple[str, str], int] = {}
    cards: dict[tuple[str, str], Entry] = {}
    problems: list[Diagnostic] = []
    for need in pack.needs(entry):
        for found in _found(entry.game, need, shelves):
            if isinstance(found, Diagnostic):
                problems.append(found)
                continue
            key = (found.kind, found.card.id)
            cards.setdefault(key, found)
            copies[key] = copies.get(key, 0) + need.qty
    stop_on_errors(dict.fromkeys(problems))
    return [replace(found, card=found.card.model_copy(update={"qty": copies[key]})) for key, found in cards.items()]


def _found(game: str, need: Need, shelves: Sequence[Sequence[Entry]]) -> Iterator[Entry | Diagnostic]:
    """The cards that are needed; a piece is made from its card, unless there is one that has the card's name."""
    found = _first(shelves, game, need.kind, need.name)
    if found:
        yield from found
        return
    for kind in game_called(game).kinds[need.kind].made_from:
        for card in _first(shelves, game, kind, need.name):
            yield from _first(shelves, game, need.kind, card.card.name) or derived((card,), (need.kind,))
            return
    raise LookupError(f"the pack needs a {need.kind} '{need.name}', which is nowhere")


def _first(shelves: Sequence[Sequence[Entry]], game: str, kind: str, name: str) -> tuple[Entry, ...]:
    """The card of that id or name on the first shelf that has it; without a name all of the first that has any."""
    for shelf in shelves:
        there = tuple(entry for entry in shelf if (entry.game, entry.kind) == (game, kind))
        found = matching(index(there), game, kind, name)[:1] if name else there
        if found:
            return found
    return ()
