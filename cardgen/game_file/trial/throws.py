"""Steps of trials that roll dice."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.game_file.expression.formula import Formula, Words
from cardgen.game_file.trial.dice import Face, GameDie, OneDie, Tally, roll_pool, roll_sum
from cardgen.game_file.trial.run import Run
from cardgen.game_file.trial.steps import Action, Names, Values
from cardgen.referee.dice_notation import DiceExpression
from cardgen.referee.requests import Log, Procedure, Roll, Test
from cardgen.validation.suggestion import slugify

PASSED, ROLLED = "passed", "rolled"
MOST_POOL = 50


@dataclass(eq=False)
class Throw(Action):
    """A step that rolls dice for somebody."""

    dice: DiceExpression | GameDie | None = None
    name: Words | None = None
    who: Words | None = None

    def captions(self, names: Names, run: Run) -> tuple[str, str]:
        """Return who rolls, and for what."""
        who = self.who.text(names, run.budget) if self.who else ""
        return who, self.name.text(names, run.budget) if self.name else ""

    def roll(self, who: str, what: str, run: Run) -> Procedure[Face]:
        """Roll the dice, and return their sum or face."""
        if isinstance(self.dice, GameDie):
            faces = run.faces(self.dice)
            face = yield from OneDie(who, what, len(faces), faces).roll()
            return face
        assert self.dice is not None
        total = yield from roll_sum(self.dice, who, what)
        return total


@dataclass(eq=False)
class TestStep(Throw):
    """Dice that pass up to a number, or from a number on."""

    __test__ = False

    up_to: Formula | None = None
    at_least: Formula | None = None

    @property
    def writes(self) -> tuple[str, ...]:
        """Whether it passed, and what was rolled."""
        return PASSED, ROLLED

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Roll the dice, and return whether they pass.

        A single die is a question of its own.
        """
        who, what = self.captions(names, run)
        bound = self.up_to or self.at_least
        assert bound is not None
        need = bound.whole(names, run.budget)
        sides = sides_of(self.dice)
        if sides and ROLLED not in self.live:
            passed = yield from self._one_die(need, sides, who, what)
            return {PASSED: passed}
        rolled = yield from self.roll(who, what, run)
        passed = int(rolled) <= need if self.up_to else int(rolled) >= need
        bounds, result = f"{need} or {'less' if self.up_to else 'more'}", "success" if passed else "failure"
        yield Log("{}: {}, {}: {}", (what, rolled, bounds, result))
        return {PASSED: passed, ROLLED: rolled}

    def _one_die(self, need: int, sides: int, who: str, what: str) -> Procedure[bool]:
        if self.up_to:
            passed = yield Test(slugify(what), who, what, need, sides=sides)
            return bool(passed)
        wins = tuple(range(max(1, need), sides + 1))
        shown = yield Roll(slugify(what), who, what, sides, wins)
        return bool(wins) and bool(shown)


def sides_of(dice: DiceExpression | GameDie | None) -> int:
    """Return the sides of a single die in dice notation.

    Return 0 for anything else.
    """
    if not isinstance(dice, DiceExpression) or len(dice.terms) != 1:
        return 0
    (term,) = dice.terms
    return term.sides if term.count == 1 and term.sign == 1 and not term.paired else 0


@dataclass(eq=False)
class RollStep(Throw):
    """Dice whose sum or face is kept."""

    into: str = ""

    @property
    def writes(self) -> tuple[str, ...]:
        """The name of the result."""
        return (self.into,)

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Roll the dice."""
        result = yield from self.roll(*self.captions(names, run), run)
        return {self.into: result}


@dataclass(eq=False)
class PoolStep(RollStep):
    """Several equal dice, of which some are successes, or which are added."""

    count: Formula | None = None
    successes: tuple[Face, ...] | None = None
    at_least: Formula | None = None
    up_to: Formula | None = None
    reroll: tuple[Face, ...] = ()
    keep: Formula | None = None
    keeps_highest: bool = True

    def act(self, names: Names, run: Run) -> Procedure[Values]:
        """Roll the dice, and count them."""
        assert self.count is not None
        who, what = self.captions(names, run)
        faces = run.faces(self.dice) if isinstance(self.dice, GameDie) else ()
        sides = len(faces) or sides_of(self.dice)
        keep = self.keep.whole(names, run.budget, 0, MOST_POOL) if self.keep else None
        tally = Tally(self._successes(names, run, faces or tuple(range(1, sides + 1))), keep, self.keeps_highest)
        count = self.count.whole(names, run.budget, 0, MOST_POOL)
        result = yield from roll_pool(count, OneDie(who, what, sides, faces, self.reroll), tally)
        yield Log("{}: {}", (what, result))
        return {self.into: result}

    def _successes(self, names: Names, run: Run, faces: tuple[Face, ...]) -> tuple[Face, ...] | None:
        """Return the faces that are successes.

        Return None if the dice are added.
        """
        bound = self.at_least or self.up_to
        if bound is None:
            return self.successes
        need = bound.whole(names, run.budget)
        return tuple([face for face in faces if (int(face) >= need if self.at_least else int(face) <= need)])
