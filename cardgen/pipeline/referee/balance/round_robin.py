"""The round robin: computes the scores of all pairs that are not stored, in several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cardgen.pipeline.load.game_modules import load_trials
from cardgen.pipeline.referee.balance.arena import Arena, ScoreRows, located_duels
from cardgen.pipeline.referee.balance.score_store import ScoreStore
from cardgen.referee.pairings import RowTask
from cardgen.referee.scores import RemainingTime, Score, ScoreMatrix
from cardgen.referee.trial import Competitor, RulesConfig
from cardgen.rulesets import ruleset
from cardgen.rulesets.game_settings import plain_settings, plain_settings_in_force
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.cluster.pool import Pool, has_cluster, shared_pool
from cardgen.runtime.process_pool import TaskPool

# From this many competitors on, scores are floats, which take a small part of the time in every game.
CROWD = 21
# Seconds between saves of unfinished results.
SAVE_INTERVAL = 15.0
# Work below this is not stored: it takes less time than looking for it.
_FEWEST_STORED = 2


class OnProgress(Protocol):
    """What is called when some of all pairs are complete; `remaining` estimates the seconds for the others."""

    def __call__(self, done: int, total: int, what: str, remaining: Callable[[], float] | None = None, /) -> None:
        """Show the progress, with the name of the last card."""


@dataclass(frozen=True, slots=True)
class ComputeOptions:
    """How a round robin is computed: with up to `jobs` processes, and with or without stored results."""

    jobs: int = 1
    cache: bool = True
    on_progress: OnProgress = field(default=lambda *_: None)


@located_duels()
def compute_scores(
    arena: Arena, competitors: Sequence[Competitor], options: ComputeOptions
) -> tuple[tuple[int, ...], ScoreMatrix]:
    """Return the class of each competitor, and the scores between classes.

    Scores are fractions for few competitors. Stored scores are used, and new ones are stored while they are computed.
    Raises CardgenError for a duel with too many outcomes.
    """
    exact = not arena.trials.crowd or len(competitors) < CROWD
    rows = arena.rows(competitors, exact=exact)
    size = max(rows.classes) + 1
    matrix = ScoreMatrix(size, exact=rows.is_exact)
    has_store = options.cache and rows.contents and size >= _FEWEST_STORED
    store = ScoreStore.of(arena, exact=rows.is_exact) if has_store else None
    if store:
        store.fill(matrix, rows.contents)
    tasks = [(number, _compact(gaps)) for number in range(size) if (gaps := matrix.gaps(number))]
    if tasks:
        _run(_Run(arena, competitors, rows, options), matrix, tasks, store)
    return rows.classes, matrix


def _compact(numbers: list[int]) -> Sequence[int]:
    """Return ascending numbers, as a range if none is missing: most tasks are sent to other processes."""
    whole = range(numbers[0], numbers[-1] + 1)
    return whole if len(whole) == len(numbers) else numbers


@dataclass(frozen=True, slots=True)
class _Run:
    arena: Arena
    competitors: Sequence[Competitor]
    rows: ScoreRows
    options: ComputeOptions

    def name_of(self, number: int) -> str:
        """Return the name of a competitor of a class."""
        return str(self.competitors[self.rows.classes.index(number)].card["name"])

    def pool(self, tasks: Sequence[RowTask]) -> Pool[list[Score]]:
        """Return the pool of the tasks; this process uses the rows that it has."""
        rules, config = self.arena.rules, self.arena.config
        if self.options.jobs < 2 and not has_cluster():
            return TaskPool(_task_of, (self.rows, tasks), len(tasks), 1)
        arguments = (rules.id, dict(config.rulings), dict(config.policy), plain_settings(rules.settings))
        return shared_pool(
            _set_up, (*arguments, [*self.competitors], self.rows.is_exact, tasks), len(tasks), self.options.jobs
        )

    def remaining_time(self, tasks: Sequence[RowTask], started: float) -> RemainingTime:
        """Return the estimate of the time for the tasks."""
        workers = self.options.jobs
        return RemainingTime(lambda: self.rows.work(tasks, workers), workers, started)


def _run(run: _Run, matrix: ScoreMatrix, tasks: Sequence[RowTask], store: ScoreStore | None) -> None:
    """Compute all tasks, and save what is done now and then, at the end, and if the user interrupts."""
    pool, saved = run.pool(tasks), time.monotonic()
    remaining = run.remaining_time(tasks, saved)
    done, total = -len(tasks[0][1]), sum(len(others) for _, others in tasks[1:])
    try:
        for index, (number, others) in enumerate(tasks):
            matrix.fill(number, others, pool.result(index))
            done += len(others)  # 0 after the first task, during which processes start.
            remaining.add(time.monotonic())
            run.options.on_progress(done, total, run.name_of(number), remaining.seconds)
            if store and time.monotonic() - saved > SAVE_INTERVAL:
                store.save(matrix, run.rows.contents)
                saved = time.monotonic()
    finally:
        if store and done >= 0:
            store.save(matrix, run.rows.contents)


def _task_of(rows: ScoreRows, tasks: Sequence[RowTask]) -> Callable[[int], list[Score]]:
    return lambda index: [*rows.row(*tasks[index])]


def _set_up(
    game: str,
    rulings: dict[str, str],
    policy: dict[str, str],
    settings: dict[str, Any],
    competitors: list[Competitor],
    exact: bool,
    tasks: Sequence[RowTask],
) -> Callable[[int], list[Score]]:
    """Return the function that runs a task, in a process that may know nothing yet."""
    rules = ruleset.ruleset(game)
    assert isinstance(rules, Ruleset), "the game has been loaded before"
    arena = Arena(rules, load_trials(rules), RulesConfig(rulings, policy))
    context = plain_settings_in_force(rules.settings, settings)
    with context:
        rows = arena.rows(competitors, exact=exact)

    def run(index: int) -> list[Score]:
        with plain_settings_in_force(rules.settings, settings):
            return [*rows.row(*tasks[index])]

    return run
