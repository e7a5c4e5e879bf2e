"""Dice of trials: sums in dice notation, and pools with successes."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, did_you_mean, slugify
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.spec import MOST_FACES, DieSpec, FaceList, FaceWeights
from cardgen.referee.die import PAIRED
from cardgen.referee.parameters import Ruling
from cardgen.referee.requests import DiceExpression, DiceTerm, MemoizedCall, Procedure, Roll, parse
from cardgen.source import KeyPath

# What a die shows: a number, or the name of a face.
Face: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class GameDie:
    """A die of the game: its name and its faces in order.

    A die with unknown faces has several lists of faces.
    """

    name: str
    candidates: tuple[tuple[Face, ...], ...]

    @property
    def is_numeric(self) -> bool:
        """True if all faces are numbers, which can be added."""
        return all(isinstance(face, int) for faces in self.candidates for face in faces)

    @property
    def faces(self) -> tuple[Face, ...]:
        """All different faces, also of other candidates."""
        return tuple(dict.fromkeys(face for faces in self.candidates for face in faces))


class OneDie(NamedTuple):
    """A die of a pool, and how a log names it.

    A face in `reroll` is rolled once more, and what it then shows counts. `names` are the names of the faces; without
    them, a die has the numbers from 1 to `sides`.
    """

    who: str
    what: str
    sides: int
    names: tuple[Face, ...] = ()
    reroll: tuple[Face, ...] = ()

    def roll(self) -> Procedure[Face]:
        """Roll the die, and return its face."""
        face = yield from self._once(self.what)
        if face in self.reroll:
            face = yield from self._once(f"{self.what}, rolled again")
        return face

    def _once(self, what: str) -> Procedure[Face]:
        shown = yield Roll(slugify(what), self.who, what, self.sides, faces=tuple(map(str, self.names)))
        return self.names[tuple(map(str, self.names)).index(shown)] if self.names else shown


class Tally(NamedTuple):
    """How the dice of a pool count.

    With `successes`, the result is the number of dice that show one of these faces, and otherwise the sum. With `keep`,
    only as many of the best dice count, or of the worst if `highest` is false.
    """

    successes: tuple[Face, ...] | None = None
    keep: int | None = None
    highest: bool = True

    @property
    def start(self) -> Any:
        """The state without any die."""
        return 0 if self.keep is None else ()

    def add(self, state: Any, face: Face) -> Any:
        """Return the state with one more die: a number, or the sorted values of the dice kept."""
        if self.successes is None:
            value = int(face)
        else:
            is_success = face in self.successes
            value = int(is_success) if isinstance(face, str) or self.keep is None else face
        if self.keep is None:
            return state + value
        kept = list(state)
        insort(kept, value)
        return tuple(kept[-self.keep :] if self.highest else kept[: self.keep]) if self.keep else ()

    def result(self, state: Any) -> int:
        """Return the number of successes, or the sum."""
        if self.keep is None:
            return int(state)
        named = self.successes is not None and any(isinstance(face, str) for face in self.successes)
        if self.successes is None or named:
            return int(sum(state))
        return sum(value in self.successes for value in state)


def roll_pool(count: int, die: OneDie, tally: Tally) -> Procedure[int]:
    """Roll a pool of dice, and return its result."""
    state = yield from _roll_some(count, die, tally)
    return tally.result(state)


def _roll_some(count: int, die: OneDie, tally: Tally) -> Procedure[Any]:
    """Roll dice one after the other.

    The odds of equal intermediate states are computed once.
    """
    if not count:
        return tally.start
    state = yield MemoizedCall(_roll_some, (count - 1, die, tally))
    face = yield from die.roll()
    return tally.add(state, face)


def roll_sum(dice: DiceExpression, who: str, what: str) -> Procedure[int]:
    """Roll dice notation, and return the sum."""
    total = 0
    for term in dice.terms:
        total += term.sign * ((yield MemoizedCall(_roll_term, (term, who, what))) if term.sides else term.count)
    return total


def _roll_term(term: DiceTerm, who: str, what: str) -> Procedure[int]:
    tally = Tally(None, None if term.keep == term.count else term.keep, term.highest)
    if not term.paired:
        total = yield from roll_pool(term.count, OneDie(who, what, term.sides), tally)
        return total
    state = tally.start
    die = OneDie(who, what, PAIRED[term.sides])
    for _ in range(term.count):
        tens = yield from die.roll()
        units = yield from die.roll()
        state = tally.add(state, 10 * int(tens) + int(units))
    return tally.result(state)


UNKNOWN = "unknown"


def compile_dice(context: GameContext) -> dict[str, GameDie]:
    """Return the dice of a game by name.

    Report mistakes in them.
    """
    dice = {}
    for name, spec in context.spec.dice.items():
        path = ("dice", name)
        if _is_notation(name):
            context.report(path, f"the name '{name}' is dice notation", "choose another name", key=True)
        elif (spec.faces is None) == (spec.candidates is None):
            context.report(path, "a die needs either 'faces' or 'candidates'", key=spec.faces is None)
        else:
            dice[name] = GameDie(name, _candidates(spec, path, context))
    return dice


def _is_notation(text: str) -> bool:
    try:
        parse(text)
    except CardgenError:
        return False
    return True


def _candidates(spec: DieSpec, path: KeyPath, context: GameContext) -> tuple[tuple[Face, ...], ...]:
    if spec.faces is not None:
        return (_faces(spec.faces, (*path, "faces"), context),)
    candidates = enumerate(spec.candidates or ())
    return tuple([_faces(each.faces, (*path, "candidates", index, "faces"), context) for index, each in candidates])


def _faces(written: FaceWeights | FaceList, path: KeyPath, context: GameContext) -> tuple[Face, ...]:
    """Return every face of a die, equal ones next to each other.

    Names that are whole numbers are numbers.
    """
    if isinstance(written, Mapping):
        weights = {_face(name): weight for name, weight in written.items()}
    else:
        weights = {}
        for name in written:
            weights[_face(name)] = weights.get(_face(name), 0) + 1
    if sum(weights.values()) > MOST_FACES:
        context.report(path, f"a die has at most {MOST_FACES} faces, not {sum(weights.values())}")
        return ("?",)
    return tuple([face for face, weight in weights.items() for _ in range(weight)])


def _face(name: str | int) -> Face:
    digits = str(name).removeprefix("-")
    return int(name) if digits.isascii() and digits.isdigit() and len(digits) < 7 else str(name)


def find_dice(
    name: str, path: KeyPath, dice: Mapping[str, GameDie], context: GameContext
) -> DiceExpression | GameDie | None:
    """Return dice in dice notation, or a die of the game.

    Return None if there are none, which is reported.
    """
    if name in dice:
        return dice[name]
    try:
        return parse(name)
    except CardgenError as error:
        first = error.diagnostics[0]
        close = did_you_mean(name, dice)
        message = f"unknown die '{name}'{close}" if close else first.message
        context.report(path, message, "" if close else f"{first.help}, or the name of a die of the game")
        return None


def candidate_policy(die: GameDie) -> Ruling:
    """Return the policy that chooses the faces of a die whose true faces are unknown."""
    settings = {str(number): _in_words(faces) for number, faces in enumerate(die.candidates, start=1)}
    unknown = {UNKNOWN: "Odds are ranges; rolls use the first candidate."}
    return Ruling(die.name, f"Which faces does the die '{die.name}' have?", {**unknown, **settings})


def _in_words(faces: tuple[Face, ...]) -> str:
    return ", ".join(f"{faces.count(face)} {face}" for face in dict.fromkeys(faces))
