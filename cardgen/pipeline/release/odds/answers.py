"""Computes what changed rules mean: the odds of cards and their places in the balance, before and after."""

from __future__ import annotations

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.load import game_settings
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.referee.setup import resolve_switches, with_referee
from cardgen.pipeline.release.changes import Change, ChangedCard, Changes
from cardgen.pipeline.release.content.released_card import CardKey, Release
from cardgen.pipeline.release.odds.consequences import BalancePlace, ChangedFigure, Meaning, Meanings
from cardgen.pipeline.release.odds.figures import Table, changed_figures
from cardgen.pipeline.release.odds.places import Places, places
from cardgen.pipeline.release.odds.released_deck import ReleasedDeck
from cardgen.project import Project
from cardgen.referee.trial import RulesConfig


def meanings(old: Release, new: Release, changes: Changes, *, every: bool = False) -> Meanings:
    """Return what the changed rules of cards mean, according to the referee of now.

    Without `every`, places in the balance are computed only for few cards.
    """
    changed = [each for each in changes.cards if each.old and each.new and Change.RULES in each.changes]
    found: dict[CardKey, Meaning] = {}
    notes: list[str] = []
    left_out: dict[str, None] = {}
    with game_settings.in_force(Project.find()):
        for game in sorted({each.card.game for each in changed}):
            tables = _tables(game, old, new)
            if tables:
                its = _of_game(*tables, [each for each in changed if each.card.game == game], every=every)
                found |= its.cards
                notes.append(its.note)
                left_out |= dict.fromkeys(its.left_out)
    return Meanings(found, "; ".join(filter(None, notes)), tuple(left_out))


def _tables(game: str, old: Release, new: Release) -> tuple[Table, Table] | None:
    """Return the tables of a game in both releases; None for a game without a referee."""
    rules = require_game(game)
    if not rules.trials:
        return None
    _, trials = with_referee(rules)
    policy = resolve_switches(trials.policies, {}, "--policy")

    def table(release: Release) -> Table:
        own = release.rulings.get(game, {})
        rulings = {
            each.id: own[each.id] if own.get(each.id) in each.settings else each.default for each in rules.rulings
        }
        return Table(rules, RulesConfig(rulings, policy), ReleasedDeck(rules, release))

    return table(old), table(new)


def _of_game(old: Table, new: Table, changed: list[ChangedCard], *, every: bool) -> Meanings:
    away = frozenset(each.card.key for each in changed)
    fighters = [each for each in changed if each.card.kind in new.trials.fighters]
    standings = places(old, new, every=every) if fighters else None
    found = {}
    left_out: dict[str, None] = {}
    for each in changed:
        assert each.old is not None, "only changed cards"
        figures, notes = _figures(old, new, each, away)
        left_out |= dict.fromkeys(notes)
        meaning = Meaning(tuple(figures), *_places(standings, each))
        if figures or meaning.old_place or meaning.new_place:
            found[each.card.key] = meaning
    note = "no places in the balance; for these, use --odds" if fighters and standings is None and not every else ""
    if standings and any(each.new_place for each in found.values()):
        left_out |= dict.fromkeys(standings.left_out)
    return Meanings(found, note, tuple(left_out))


def _figures(
    old: Table, new: Table, each: ChangedCard, away: frozenset[CardKey]
) -> tuple[list[ChangedFigure], tuple[str, ...]]:
    assert each.old is not None, "only changed cards"
    try:
        return changed_figures(old, new, each.old.key, each.card.key, away)
    except CardgenError:  # a check reports it
        return [], ()


def _places(standings: Places | None, each: ChangedCard) -> tuple[BalancePlace | None, BalancePlace | None]:
    if standings is None or each.old is None:
        return None, None
    return standings.old.get(each.old.key), standings.new.get(each.card.key)
