"""Trials of a game file as the referee knows them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, make_dataclass
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import product
from math import prod
from typing import Annotated, Any
from zlib import crc32

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words
from cardgen.game_file.expressions import LINKS, CardLinks
from cardgen.game_file.spec import GameFile
from cardgen.game_file.trial_arguments import Counter, Run, State, annotation_of
from cardgen.game_file.trial_dice import UNKNOWN, GameDie, candidate_policy
from cardgen.game_file.trial_steps import RULINGS, Program
from cardgen.model.card import Card
from cardgen.referee.die import Die
from cardgen.referee.odds import OddsSolver, TooManyPathsError, UndecidedError
from cardgen.referee.parameters import ask_trials
from cardgen.referee.requests import Procedure
from cardgen.referee.trial import (
    BY_CANDIDATES,
    GameTrials,
    OddsTable,
    PreparedTrial,
    RulesConfig,
    Trial,
    card_of_kind,
    range_rows,
)
from cardgen.rulesets.ruleset import Kind

# Combinations of candidates of dice whose odds are compared.
MAX_COMBINATIONS = 64
# A field that an expression reads, such as that of 'brave.heat'.
_FIELD = re.compile(r"\.([^\W\d]\w*)")


class TrialModule:
    """The trials of a game file, with the interface of a module."""

    def __init__(
        self, spec: GameFile, programs: Mapping[str, Program], dice: Mapping[str, GameDie], kinds: Mapping[str, Kind]
    ) -> None:
        unknown = {name: die for name, die in dice.items() if len(die.candidates) > 1}
        used = frozenset().union(*(program.dice for program in programs.values()))
        trials = {name: _trial(program, spec, programs, unknown, kinds) for name, program in programs.items()}
        self.TRIALS = GameTrials(
            trials=trials,
            benchmarks=ask_trials({name: trial.situation for name, trial in trials.items()}),
            policies=tuple(candidate_policy(die) for name, die in unknown.items() if name in used),
            fighters=(),
            round_robin=lambda competitors, config: iter(()),
        )


def _trial(
    program: Program,
    spec: GameFile,
    programs: Mapping[str, Program],
    unknown: Mapping[str, GameDie],
    kinds: Mapping[str, Kind],
) -> Trial:
    about = spec.trials[program.name].help or f"{_title(program.name)}."
    situation = _situation(program, about)

    def set_up(values: Any, config: RulesConfig) -> PreparedTrial:
        return TrialSetup(program, programs, unknown, kinds, values, config).prepare(tuple(unplayed(values)))

    def unplayed(values: Any) -> Iterator[str]:
        """Yield the rules of each card that no step of the trial mentions, as its player may not expect."""
        for name, argument in program.asks.items():
            data: Mapping[str, Any] = (getattr(values, name) if argument.models else None) or {}
            fields = [key for key in data if key not in mentioned() and _has_rules(key, data, spec)]
            if fields:
                yield f"{data['name']}: {join_words(fields, 'and')}"

    @cache
    def mentioned() -> frozenset[str]:
        called = (spec.trials[each.name].model_dump_json() for each in program.called(programs))
        return frozenset(word for steps in called for word in _FIELD.findall(steps))

    # The version changes whenever the trials do. Older transcripts are then refused.
    written = spec.model_dump(mode="json", include={"trials", "dice"})
    return Trial(situation, set_up, crc32(json.dumps(written, sort_keys=True).encode()))


def _has_rules(key: str, card: Mapping[str, Any], spec: GameFile) -> bool:
    """Return whether a field of a card holds rules: a text, or parts, such as abilities or weapons."""
    kind = spec.kinds.get(card.get("kind", ""))
    field = kind.fields.get(key) if kind else None
    is_text = key == "text" or (field is not None and field.type == "text" and field.aspect in (None, "rules"))
    kept = card[key] if isinstance(card[key], list | tuple) else [card[key]]
    is_part = field is not None and any(isinstance(each, Mapping) for each in kept)
    return bool(card[key]) and (is_text or is_part)


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _situation(program: Program, about: str) -> type[Any]:
    """Return the class of the values that a trial asks for."""
    fields = []
    for name, argument in program.asks.items():
        annotation = annotation_of(argument)
        if argument.is_required:
            fields.append((name, Annotated[annotation, argument.parameter], field()))
        else:
            fields.append((name, Annotated[annotation | None, argument.parameter], field(default=argument.default)))
    situation = make_dataclass(_title(program.name).replace(" ", ""), fields, frozen=True, kw_only=True)
    situation.__doc__ = about
    return situation


class _LinkedCards:
    """Reads cards from plain data, in which the data of other cards stand for their names."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds
        self._data: dict[tuple[str, str], dict[str, Any]] = {}
        self._cards: dict[tuple[str, str], Card] = {}

    def read(self, data: Any, models: Iterable[type[Card]]) -> Card:
        """Return the card of plain data.

        Raises ValueError for any other kind, and ValidationError for invalid data.
        """
        return card_of_kind(self._without_cards(data), *models)

    def find(self, kind: str, name: str) -> Card | None:
        """Return a card that was part of the data of another, or None."""
        key = (kind, name)
        if key not in self._cards and key in self._data:
            self._cards[key] = card_of_kind(self._data[key], self._kinds[kind].model)
        return self._cards.get(key)

    def _without_cards(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data of a card with names in place of other cards, which are stored."""
        plain = {key: self._without_card(value) for key, value in data.items()}
        for name in filter(None, (plain.get("id"), plain.get("name"))):
            self._data.setdefault((str(plain.get("kind")), str(name)), plain)
        return plain

    def _without_card(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [self._without_card(each) for each in value]
        if not isinstance(value, dict):
            return value
        if value.get("kind") in self._kinds and isinstance(value.get("name"), str):
            return self._without_cards(value)["name"]
        return {key: self._without_card(each) for key, each in value.items()}


class TrialSetup:
    """A trial with its values, ready to be rolled, asked, and worked out."""

    def __init__(
        self,
        program: Program,
        programs: Mapping[str, Program],
        unknown: Mapping[str, GameDie],
        kinds: Mapping[str, Kind],
        situation: Any,
        config: RulesConfig,
    ) -> None:
        self._program, self._programs, self._unknown = program, programs, unknown
        cards = _LinkedCards(kinds)
        values = {}
        for name in program.asks:
            argument, value = self._program.asks[name], getattr(situation, name)
            values[name] = cards.read(value, argument.models) if argument.models and value is not None else value
        self._values = {RULINGS: dict(config.rulings), LINKS: CardLinks(cards.find), **values}
        chosen = {name: config.policy.get(name, UNKNOWN) for name in unknown}
        self._candidates = {name: int(setting) - 1 for name, setting in chosen.items() if setting != UNKNOWN}

    def _run(self, candidates: Mapping[str, int]) -> Run:
        return Run(self._values, self._programs, candidates)

    @property
    def title(self) -> str:
        """The name of the trial, and its cards."""
        cards = [
            value.name
            for name, value in self._values.items()
            if name not in (RULINGS, LINKS) and hasattr(value, "name")
        ]
        return f"{_title(self._program.name)}: {', '.join(cards)}" if cards else _title(self._program.name)

    def prepare(self, not_simulated: tuple[str, ...] = ()) -> PreparedTrial:
        """Return the trial for the referee; `not_simulated` are the rules that it leaves out."""
        return PreparedTrial(
            self.title,
            self._start,
            lambda outcome: (outcome,),
            lambda outcome: outcome,
            self._tables,
            not_simulated,
        )

    def _start(self) -> Procedure[str]:
        return self._program.procedure(self._run(self._candidates))

    def _tables(self) -> tuple[OddsTable, ...]:
        """Return the odds of the outcomes.

        They are ranges if the faces of a die are unknown.
        """
        try:
            paths = Counter(MAX_PATHS)
            every = [
                TrialOdds(paths).outcomes(self._program, self._run(candidates)) for candidates in self._combinations()
            ]
        except UndecidedError as error:
            message = f"a player must answer this: {error}"
            raise CardgenError(Diagnostic(Code.NO_ANSWER, message, Place(self._program.name), "use --ask")) from None
        except RecursionError:
            raise TooManyPathsError from None
        if len(every) == 1:
            return (OddsTable(self.title, parts=tuple(every[0].items())),)
        rows = tuple(range_rows([tuple(each.items()) for each in every]))
        return (OddsTable(f"{self.title}, {BY_CANDIDATES}", chances=rows),)

    def _combinations(self) -> Iterator[dict[str, int]]:
        """Yield every choice of candidates for the dice whose faces are unknown."""
        used = frozenset().union(*(program.dice for program in self._program.called(self._programs)))
        free = [die for name, die in self._unknown.items() if name in used and name not in self._candidates]
        if prod(len(die.candidates) for die in free) > MAX_COMBINATIONS:
            raise TooManyPathsError
        for indices in product(*(range(len(die.candidates)) for die in free)):
            yield {**self._candidates, **{die.name: index for die, index in zip(free, indices, strict=True)}}


_DIGITS = re.compile(r"([0-9]{1,9})")
# Branches of the states of a trial, together with those of the trials that it calls.
MAX_BRANCHES = 50_000
# Paths of throws that lead to these branches, for all candidates of dice together: some seconds of work.
MAX_PATHS = 200_000
_ADVICE = "roll it instead, or throw fewer dice, repeat steps less often, and 'set' fewer different values"


class TrialOdds:
    """Exact odds of outcomes.

    States are worked off in the order of their positions, so that equal states are merged before they go on. The odds
    for all candidates of dice share the `paths` that are left.
    """

    def __init__(self, paths: Counter) -> None:
        self._solver = OddsSolver()
        self._paths = paths
        self._left = MAX_BRANCHES
        self._calls: dict[tuple[Any, ...], dict[str, Fraction]] = {}

    def outcomes(self, program: Program, run: Run) -> dict[str, Fraction]:
        """Return the chance of each outcome.

        Outcomes are in the order of the steps that lead to them, and of their numbers.

        Raises TooManyPathsError if there are too many states.
        """
        states: defaultdict[tuple[int, ...], defaultdict[State, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        pending = [program.start().position]
        states[pending[0]][program.start()] = Fraction(1)
        ends: defaultdict[str, Fraction] = defaultdict(Fraction)
        while pending:
            here: defaultdict[str, Fraction] = defaultdict(Fraction)
            for state, weight in states.pop(heappop(pending)).items():
                call = program.call_at(run, state)
                if call is None:
                    branches = list(self._throws(program, run, state))
                else:
                    outcomes = self._call(*call).items()
                    branches = [(program.after_call(run, state, outcome), chance) for outcome, chance in outcomes]
                self._left -= len(branches)
                if self._left < 0 or self._paths.left < 0:
                    raise TooManyPathsError(_ADVICE)
                for after, chance in branches:
                    if after.end is not None:
                        here[after.end] += weight * chance
                        continue
                    if after.position not in states:
                        heappush(pending, after.position)
                    states[after.position][after] += weight * chance
            for outcome in sorted(here, key=_natural_key):
                ends[outcome] += here[outcome]
        return dict(ends)

    def _throws(self, program: Program, run: Run, state: State) -> Die[State]:
        before = self._solver.paths
        try:
            return self._solver.distribution(program.advance, run, state)
        except TooManyPathsError:
            raise TooManyPathsError(_ADVICE) from None
        finally:
            self._paths.left -= self._solver.paths - before

    def _call(self, program: Program, run: Run) -> Mapping[str, Fraction]:
        """Return the odds of a called trial, computed once for equal values.

        A card equals only itself.
        """
        key = (program.name, *((name, type(value), _identity(value)) for name, value in run.values.items()))
        if key not in self._calls:
            self._calls[key] = self.outcomes(program, run)
        return self._calls[key]


def _natural_key(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts '2 wounds' before '10 wounds'."""
    return [(int(part[:30]), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(text)]


def _identity(value: Any) -> Any:
    return value if isinstance(value, str | int | float | None) else id(value)
