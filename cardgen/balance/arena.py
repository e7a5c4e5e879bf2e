"""The arena: a game's duels under some rulings, their scores for all pairs, and the store of scores.

What was computed once is not computed again, whichever cards it was computed for. A file of the store holds the scores
of one game under the same rulings, policy, settings, and version of the program, between classes of competitors that
are known by digests of their contents. Files are in the user's cache folder and are sealed, so what is read was written
by this user; a file that is missing, broken, or too large counts as empty.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from cardgen.deck.deck import load_trials
from cardgen.diagnostic import CardgenError, log_activity
from cardgen.matches.session import located_outcomes, prepare_situation
from cardgen.referee.parameters import parameters
from cardgen.referee.scores import HALF, RemainingTime, RowTask, Score, ScoreMatrix, ScoreRow, Work, empty_row, is_known
from cardgen.referee.trial import Competitor, GameTrials, PreparedTrial, RulesConfig
from cardgen.rulesets import ruleset
from cardgen.rulesets.game_settings import plain_settings, settings_of, settled
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime import atomic_write, fingerprint, regular_file
from cardgen.runtime.cluster.pool import Pool, shared_pool
from cardgen.runtime.installation import FAST
from cardgen.runtime.process_pool import TaskPool
from cardgen.runtime.user_folders import cache_folder, prune_oldest, seal, unseal
from cardgen.runtime.workspace import Workspace


class ScoreRows(NamedTuple):
    """The scores of some competitors, computed row by row.

    `classes` has the class of each competitor, and `row` returns the scores of a class against some classes. `contents`
    has a text for each class that tells all that its scores depend on; it is empty if no such text is known. `work`
    returns the work of each of some rows, which as many processes compute in turn.
    """

    classes: tuple[int, ...]
    row: Callable[[int, Sequence[int]], Sequence[Score]]
    contents: tuple[str, ...]
    is_exact: bool
    work: Callable[[Sequence[RowTask], int], list[Work]]


# The trial of two cards of a game, from which scores come.
DUEL = "duel"
# Raises CardgenError, with the names of both fighters, for a duel with too many outcomes.
located_duels = partial(
    located_outcomes, DUEL, "leave one of them out, or simplify their effects, such as those that heal or add up"
)


@dataclass(frozen=True, slots=True)
class Arena:
    """A game with its duels, the rulings and the policy in force, and the workspace with the game's settings."""

    rules: Ruleset
    trials: GameTrials
    config: RulesConfig
    workspace: Workspace = field(default_factory=Workspace)

    @property
    def plain_settings(self) -> dict[str, Any]:
        """The settings of the game in the project, as plain data."""
        return plain_settings(self.rules.settings, self.workspace)

    def left_out(self, competitors: Sequence[Competitor]) -> tuple[str, ...]:
        """Return what duels of these cards leave to the players, each once; every card fights in one of them."""
        half = (len(competitors) + 1) // 2
        pairs = zip(competitors, (*competitors[half:], *competitors[:half]), strict=True)
        return tuple(dict.fromkeys(note for one, other in islice(pairs, half) for note in self._notes(one, other)))

    def _notes(self, one: Competitor, other: Competitor) -> tuple[str, ...]:
        """Return what a duel leaves to the players; a carried card that does nothing for its bearer is left out."""
        if DUEL not in self.trials.trials:
            return ()
        asked = parameters(self.trials.trials[DUEL].situation).items()
        carrying = {name[-1]: name for name, (each, _) in asked if each.sort == "card" and name[-2:] in ("_a", "_b")}
        fighters = {"a": one, "b": other}
        cards = {side: each.card for side, each in fighters.items()}
        carried = {carrying[side]: each.carries for side, each in fighters.items() if side in carrying and each.carries}
        for values in ({**cards, **carried}, cards):
            try:
                return self._prepared(values).not_simulated
            except CardgenError:
                continue
        return ()

    def settled(self, competitors: Sequence[Competitor]) -> Sequence[Competitor]:
        """Return the competitors with the settings of the project, which their models may need."""
        model, workspace = self.rules.settings, self.workspace
        if model is None:
            return competitors
        return [
            Competitor(settled(each.card, model, workspace), settled(each.carries, model, workspace))
            for each in competitors
        ]

    def _prepared(self, values: Mapping[str, Any]) -> PreparedTrial:
        return prepare_situation(self.rules, self.trials, DUEL, values, self.config, self.plain_settings).prepared

    def rows(self, competitors: Sequence[Competitor], *, exact: bool) -> ScoreRows:
        """Return the scores of competitors, as fractions or, if the game has them, as floats.

        Raises ValueError for an invalid card.
        """
        competitors = self.settled(competitors)
        if exact or not self.trials.crowd:
            return self._exact_rows(competitors)
        crowd = self.trials.crowd(competitors, self.config)
        return ScoreRows(crowd.classes, crowd.row, crowd.contents, is_exact=False, work=crowd.work or _chains)

    def _exact_rows(self, competitors: Sequence[Competitor]) -> ScoreRows:
        """Return fractions; a class is a competitor, or several that are equal."""
        contents = [json.dumps([each.card, each.carries], sort_keys=True) for each in competitors]
        distinct = dict(zip(contents, competitors, strict=True))
        numbers = {content: number for number, content in enumerate(distinct)}
        members = [*distinct.values()]

        def row(one: int, others: Sequence[int]) -> list[Fraction]:
            rest = [members[other] for other in others if other != one]
            pairings = islice(self.trials.round_robin([members[one], *rest], self.config), len(rest))
            scores = (pairing.wins + (1 - pairing.wins - pairing.loses) / 2 for pairing in pairings)
            return [HALF if other == one else next(scores) for other in others]

        classes = tuple(numbers[content] for content in contents)
        return ScoreRows(classes, row, tuple(distinct), is_exact=True, work=_chains)


def _chains(tasks: Sequence[RowTask], _workers: int) -> list[Work]:
    """Return the work of rows of joint chains."""
    return [Work(chains=len(others)) for _, others in tasks]


_FORMAT = 1
_SUFFIX = ".scores"
_MOST_FILES = 20
# Classes in a file: 3,000 take 36 MB.
MOST_CLASSES = 3000
_MOST_BYTES = 64_000_000
_DIGEST_SIZE = 16
_MAX_DIGITS = 20_000


class ScoreStore:
    """The stored scores of one game under the same conditions."""

    def __init__(self, file: Path, *, exact: bool) -> None:
        self._file, self._exact = file, exact
        # The digests of classes, and below the diagonal their scores: row n has n of them.
        self._places: dict[bytes, int] = {}
        self._rows: list[ScoreRow] = []

    @classmethod
    def of(cls, arena: Arena, *, exact: bool) -> ScoreStore:
        """Return the stored scores of an arena."""
        key = repr((
            _FORMAT, exact, FAST, sys.byteorder, arena.rules.id, sorted(arena.config.rulings.items()),
            sorted(arena.config.policy.items()), arena.plain_settings, fingerprint.program_version(),
            fingerprint.program_stamps(),
        ))  # fmt: skip
        name = hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        store = cls(cache_folder() / "balance" / f"{name}{_SUFFIX}", exact=exact)
        store._read()
        return store

    def fill(self, matrix: ScoreMatrix, contents: Sequence[str]) -> None:
        """Enter all stored scores between classes with these contents."""
        places = [self._places.get(_digest(content)) for content in contents]
        for number, place in enumerate(places):
            if place is None:
                continue
            stored = [
                (other, score)
                for other, its_place in enumerate(places[:number])
                if its_place is not None and is_known(score := self._score(place, its_place))
            ]
            matrix.fill(number, [other for other, _ in stored], [score for _, score in stored])

    def _score(self, one: int, other: int) -> Any:
        """Return a stored score, which may not be known."""
        if one > other:
            return self._rows[one][other]
        score = self._rows[other][one]
        return 1 - score if is_known(score) else score

    def save(self, matrix: ScoreMatrix, contents: Sequence[str]) -> None:
        """Store the scores of a matrix beside those of other classes; failing to do so is not an error."""
        digests = [_digest(content) for content in contents][:MOST_CLASSES]
        kept = [digest for digest in self._places if digest not in set(digests)][: MOST_CLASSES - len(digests)]
        order = [*digests, *kept]
        rows = [matrix.rows[number][:number] for number in range(len(digests))]
        rows += [self._kept_row(digest, order[:number]) for number, digest in enumerate(kept, len(digests))]
        self._places, self._rows = {digest: place for place, digest in enumerate(order)}, rows
        self._write()

    def _kept_row(self, digest: bytes, others: Sequence[bytes]) -> ScoreRow:
        row, place = empty_row(len(others), exact=self._exact), self._places[digest]
        for number, other in enumerate(others):
            its_place = self._places.get(other)
            if its_place is not None and is_known(score := self._score(place, its_place)):
                row[number] = score
        return row

    def _read(self) -> None:
        """Read the file; if it is not as expected, nothing is stored."""
        with suppress(OSError, ValueError, TypeError, ZeroDivisionError, RecursionError):
            content = unseal(self._file.name, regular_file.read(self._file, _MOST_BYTES))
            if content is None:
                return
            count = int.from_bytes(content[:4], "big")
            if not count <= MOST_CLASSES:
                return
            digests = content[4 : 4 + count * _DIGEST_SIZE]
            starts = range(0, len(digests), _DIGEST_SIZE)
            places = {digests[at : at + _DIGEST_SIZE]: number for number, at in enumerate(starts)}
            scores = (_exact_scores if self._exact else _float_scores)(content[4 + count * _DIGEST_SIZE :])
            if len(places) == count and len(scores) == count * (count - 1) // 2:
                self._places = places
                self._rows = [scores[n * (n - 1) // 2 : n * (n + 1) // 2] for n in range(count)]
                log_activity(f"used the stored scores {self._file}")

    def _write(self) -> None:
        parts = [len(self._places).to_bytes(4, "big"), *self._places]
        if self._exact:
            texts = [str(score) if is_known(score) else None for row in self._rows for score in row]
            parts.append(json.dumps(texts).encode())
        else:
            parts += [row.tobytes() for row in self._rows if isinstance(row, array)]
        with suppress(CardgenError, OSError):
            entry = seal(self._file.name, b"".join(parts))
            if entry is not None and len(entry) <= _MOST_BYTES:
                atomic_write.write(self._file, entry, durable=False, confined=False)
                prune_oldest(self._file.parent, _MOST_FILES, _SUFFIX)


def _digest(content: str) -> bytes:
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()


def _float_scores(content: bytes) -> ScoreRow:
    """Return floats from their bytes. Raises ValueError for anything but scores."""
    scores = array("d")
    scores.frombytes(content)
    if not all(0 <= score <= 1 or score != score for score in scores):
        raise ValueError("scores must be between 0 and 1")
    return scores


def _exact_scores(content: bytes) -> ScoreRow:
    """Return fractions from JSON. Raises ValueError for anything but scores."""
    texts = json.loads(content)
    if not all(text is None or (isinstance(text, str) and len(text) <= _MAX_DIGITS) for text in texts):
        raise ValueError("scores must be fractions")
    scores = [None if text is None else Fraction(text) for text in texts]
    if not all(score is None or 0 <= score <= 1 for score in scores):
        raise ValueError("scores must be between 0 and 1")
    return scores


# FAST PATH. From this many competitors on, scores are floats of the game's crowd, with races and results that duels
# share. Reason: all pairs of 1,000 cards take minutes instead of hours.
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

    Scores are fractions for few competitors, and without fast paths for any number. Stored scores are used, and new
    ones are stored while they are computed.
    Raises CardgenError for a duel with too many outcomes.
    """
    exact = not (FAST and arena.trials.crowd) or len(competitors) < CROWD
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
        config, workspace = self.arena.config, self.arena.workspace
        if self.options.jobs < 2 and workspace.cluster is None:
            return TaskPool(_task_of, (self.rows, tasks), len(tasks), 1)
        arguments = (self.arena.rules.id, workspace.start, dict(config.rulings), dict(config.policy))
        setup = (*arguments, self.arena.plain_settings, [*self.competitors], self.rows.is_exact, tasks)
        return shared_pool(_set_up, setup, len(tasks), self.options.jobs, workspace.cluster)

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
    start: Path | None,
    rulings: dict[str, str],
    policy: dict[str, str],
    settings: dict[str, Any],
    competitors: list[Competitor],
    exact: bool,
    tasks: Sequence[RowTask],
) -> Callable[[int], list[Score]]:
    """Return the function that runs a task, in a process that may know nothing yet."""
    workspace = Workspace(start).with_games()
    rules = ruleset.ruleset(game, workspace)
    assert isinstance(rules, Ruleset), "the game has been loaded before"
    if rules.settings:
        workspace.game_settings = {rules.settings: settings_of(rules.settings, settings)}
    arena = Arena(rules, load_trials(rules), RulesConfig(rulings, policy), workspace)
    rows = arena.rows(competitors, exact=exact)
    return lambda index: [*rows.row(*tasks[index])]
