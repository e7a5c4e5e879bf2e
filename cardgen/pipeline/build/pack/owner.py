"""Lists of cards that have a pack, such as warbands, by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.deck import Deck
from cardgen.model.entry import Entry
from cardgen.pipeline.load.deck import built_in_cards, require_game
from cardgen.project import Project
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Pack
from cardgen.validation.suggestion import did_you_mean, join_words

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
    pack = require_game(first).pack
    if not owners and pack is None:
        raise _without_lists(name, first)
    kind = owners[0][0].kind if owners else pack.kinds[0] if pack else "list"
    raise _unknown(name, kind, owners or _owners(built_in_cards(project, first)))


def _games(project: Project, deck: Deck) -> Sequence[str]:
    """Return all games; those of the cards and of the project come first."""
    own_games = (entry.game for entry in deck.cards)
    return list(dict.fromkeys((*own_games, project.settings.game or ruleset.default_game(), *ruleset.games())))


def _owners(entries: Iterable[Entry]) -> list[PackOwner]:
    """Return the entries that have a pack."""
    packs = ((entry, require_game(entry.game).pack) for entry in entries)
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
