"""Odds of a card's benchmarks, such as 'Rifle at Brute: wounds 33 %', for help in an editor."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from cardgen.diagnostic import CardgenError
from cardgen.editor.session import LoadedProject
from cardgen.model.entry import Entry
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.referee.setup import resolve_switches, with_referee
from cardgen.pipeline.release.content.released_card import CardKey
from cardgen.pipeline.release.odds.figures import Table, typical_card
from cardgen.pipeline.release.odds.released_deck import ReleasedDeck
from cardgen.referee.ruling import settings_in_force
from cardgen.referee.trial import RulesConfig, not_adjudicated_lines
from cardgen.rulesets.ruleset import Ruleset

# After this time, in s, further benchmarks are left out.
_ENOUGH_SECONDS = 0.5
_MOST_LINES, _MOST_FIGURES = 4, 3


class _EditorDeck(ReleasedDeck):
    """The cards of a game in an editor."""

    def __init__(self, rules: Ruleset, cards: tuple[Entry, ...]) -> None:
        self._rules, self._cards = rules, cards

    @cached_property
    def entries(self) -> Mapping[CardKey, Entry]:
        """The cards by game, kind, and id."""
        own = (entry for entry in self._cards if entry.game == self._rules.id)
        return {(entry.game, entry.kind, entry.card.id): entry for entry in own}


def game_table(loaded: LoadedProject, game: str) -> Table:
    """Return a game with the project's rulings and cards. Raises CardgenError for a game without a referee."""
    rules, trials = with_referee(require_game(game))
    deck = _EditorDeck(rules, loaded.deck.cards)
    own_rulings = loaded.project.settings.rulings if game == loaded.game else {}
    policy = resolve_switches(trials.policies, {}, "--policy")
    return Table(rules, RulesConfig(settings_in_force(rules.rulings, own_rulings)[0], policy), deck)


def odds_lines(loaded: LoadedProject, game: str, kind: str, card: str) -> list[str]:
    """Return the odds of a card's benchmarks against typical cards of the project, one benchmark a line.

    Before them are lines for everything that they leave out.
    """
    lines, left_out = benchmark_odds(loaded, game, kind, card)
    return [*not_adjudicated_lines(left_out), *lines]


def benchmark_odds(loaded: LoadedProject, game: str, kind: str, card: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the odds of a card's benchmarks, and the rules that they leave out."""
    if not require_game(game).trials:
        return [], ()
    table = game_table(loaded, game)
    lines: list[str] = []
    left_out: dict[str, None] = {}
    started = time.monotonic()
    for line, notes in _lines(table, (game, kind, card)):
        lines.append(line)
        left_out |= dict.fromkeys(notes)
        if len(lines) == _MOST_LINES or time.monotonic() - started > _ENOUGH_SECONDS:
            break
    return lines, tuple(left_out)


def _lines(table: Table, key: CardKey) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the line of each benchmark, and what it leaves out."""
    data = table.deck.data(key)
    if data is None or table.trials.benchmarks is None:
        return
    for benchmark in table.trials.benchmarks(data, lambda *kinds: typical_card(table, [key], kinds)):
        try:
            run = table.run_of(benchmark)
            figures = table.figures_of(benchmark, run) if run else {}
        except CardgenError:
            continue
        texts = [f"{label} {_figure(value, is_chance)}" for (label, is_chance), value in figures.items() if value]
        if texts:
            yield f"{benchmark.title}: {', '.join(texts[:_MOST_FIGURES])}", run.prepared.not_simulated if run else ()


def _figure(value: Fraction, is_chance: bool) -> str:
    return f"{float(100 * value):.0f} %" if is_chance else f"{float(value):.2f}"
