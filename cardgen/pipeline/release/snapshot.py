"""Releases of the cards of a project as they are."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path

from cardgen.model.card_values import Scalar, card_values, pointer
from cardgen.model.deck import Deck
from cardgen.model.entry import Entry
from cardgen.pipeline.build.render import CardRenderer
from cardgen.pipeline.load.deck import load_deck, require_game
from cardgen.pipeline.release.content.game_values import game_values, is_listed_term, terms_of
from cardgen.pipeline.release.content.looks import LookFinder
from cardgen.pipeline.release.content.released_card import Release, ReleasedCard
from cardgen.project import Project
from cardgen.referee.ruling import settings_in_force
from cardgen.validation.base import Aspect

__all__ = ["Release", "ReleasedCard", "release_of", "take_snapshot"]


def take_snapshot(name: str, folder: Path | None = None) -> Release:
    """Return the release of the project as it is now.

    Raises CardgenError with all problems in its files.
    """
    project, deck = load_deck((), folder=folder, may_be_empty=True)
    return release_of(name, project, deck)


def release_of(name: str, project: Project, deck: Deck) -> Release:
    """Return the release of a deck. Drafts and kinds that are not printed do not belong to it."""
    looks = LookFinder(project, CardRenderer(project))
    printed = (entry for entry in deck.cards if _is_printed(entry))
    cards = sorted((_released_card(entry, looks) for entry in printed), key=lambda card: (card.id, card.key))
    games = sorted({card.game for card in cards})
    rulings = {game: changed for game in games if (changed := _changed_rulings(project, game))}
    own_rules = {game: values for game in games if (values := game_values(project, game))}
    return Release(name, rulings, tuple(cards), own_rules)


def _is_printed(entry: Entry) -> bool:
    return require_game(entry.game).kinds[entry.kind].is_printed and not entry.card.draft


def _changed_rulings(project: Project, game: str) -> dict[str, str]:
    rulings = require_game(game).rulings
    settings, _ = settings_in_force(rulings, project.settings.rulings)
    return {each.id: settings[each.id] for each in rulings if settings[each.id] != each.default}


def _released_card(entry: Entry, looks: LookFinder) -> ReleasedCard:
    groups: dict[Aspect, dict[str, Scalar]] = {aspect: {} for aspect in Aspect}
    for each in card_values(entry, require_game(entry.game).describe):
        groups[Aspect.RULES if is_listed_term(entry.game, each) else each.aspect][pointer(each.key_path)] = each.value
    rules, words, look = groups[Aspect.RULES], groups[Aspect.WORDS], groups[Aspect.LOOKS]
    card = entry.card
    return ReleasedCard(
        entry.game,
        entry.kind,
        card.id,
        card.name,
        card.qty,
        digest(sorted(rules.items())),
        digest(sorted(words.items())),
        looks.parts(entry, look),
        rules,
        {key: value for key, value in words.items() if key != "name"},
        terms_of(entry, (*rules.values(), *words.values())),
    )


def digest(content: object) -> str:
    """Return a short digest of plain data."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=8).hexdigest()
