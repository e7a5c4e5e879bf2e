"""Compiler of the steps of trials that roll dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from cardgen.game_file.context import GameContext
from cardgen.game_file.expression.formula import Formula, Words
from cardgen.game_file.spec.trials import KeepSpec, PoolSpec, RollSpec, TestSpec
from cardgen.game_file.trial.dice import Face, GameDie
from cardgen.game_file.trial.dice_compiler import find_dice
from cardgen.game_file.trial.steps import Step
from cardgen.game_file.trial.throws import PoolStep, RollStep, TestStep, sides_of
from cardgen.referee.dice_notation import DiceExpression
from cardgen.source import KeyPath
from cardgen.validation.suggestion import did_you_mean

MakeFormula: TypeAlias = Callable[[str | None, KeyPath], Formula | None]
MakeWords: TypeAlias = Callable[[str | None, KeyPath], Words | None]


class ThrowCompiler:
    """Compiler of tests, rolls, and pools.

    `who` is the source of the text that says who rolls by default.
    """

    def __init__(
        self, context: GameContext, dice: Mapping[str, GameDie], formula: MakeFormula, words: MakeWords, who: str
    ) -> None:
        self._context, self._dice, self._formula, self._words, self._who = context, dice, formula, words, who

    def compile(self, spec: TestSpec | RollSpec | PoolSpec, path: KeyPath) -> Step | None:
        """Return the step, or None if its dice are unknown."""
        dice = find_dice(spec.dice, (*path, "dice"), self._dice, self._context)
        shared: dict[str, Any] = {
            "when": None,
            "dice": dice,
            "name": self._words(spec.name, (*path, "name")),
            "who": self._words(spec.who or self._who or None, (*path, "who")),
        }
        if isinstance(spec, TestSpec):
            return self._test(spec, shared, path)
        if isinstance(spec, PoolSpec):
            return self._pool(spec, shared, path)
        return RollStep(**shared, into=spec.into) if dice else None

    def _test(self, spec: TestSpec, shared: dict[str, Any], path: KeyPath) -> Step | None:
        if (spec.up_to is None) == (spec.at_least is None):
            self._context.report(path, "a test needs either 'up_to' or 'at_least'")
        dice = shared["dice"]
        if isinstance(dice, GameDie) and not dice.is_numeric:
            self._context.report(
                (*path, "dice"), "a test needs dice with numbers", "use 'roll' or 'pool' for dice with named faces"
            )
        up_to = self._formula(spec.up_to, (*path, "up_to"))
        at_least = self._formula(spec.at_least, (*path, "at_least"))
        return TestStep(**shared, up_to=up_to, at_least=at_least) if dice else None

    def _pool(self, spec: PoolSpec, shared: dict[str, Any], path: KeyPath) -> Step | None:
        dice = shared["dice"]
        if isinstance(dice, DiceExpression) and not sides_of(dice):
            self._context.report((*path, "dice"), "a pool needs one die, such as d6", "write their number as 'count'")
        rules = [key for key in ("successes", "at_least", "up_to") if getattr(spec, key) is not None]
        if len(rules) > 1:
            self._context.report((*path, rules[1]), f"a pool has only one of '{rules[0]}' and '{rules[1]}'", key=True)
        named = isinstance(dice, GameDie) and not dice.is_numeric
        if named and rules != ["successes"]:
            message = "a pool of dice with named faces needs 'successes'"
            self._context.report(path, message, "list the faces that are successes")
        keep, highest = self._keep(spec, path)
        step = PoolStep(
            **shared,
            into=spec.into,
            count=self._formula(spec.count, (*path, "count")),
            successes=self._faces(spec.successes, dice, (*path, "successes")),
            at_least=self._formula(spec.at_least, (*path, "at_least")),
            up_to=self._formula(spec.up_to, (*path, "up_to")),
            reroll=self._faces(spec.reroll, dice, (*path, "reroll")) or (),
            keep=keep,
            keeps_highest=highest,
        )
        return step if dice else None

    def _keep(self, spec: PoolSpec, path: KeyPath) -> tuple[Formula | None, bool]:
        if not isinstance(spec.keep, KeepSpec):
            return self._formula(spec.keep, (*path, "keep")), True
        if (spec.keep.highest is None) == (spec.keep.lowest is None):
            self._context.report((*path, "keep"), "write either 'highest' or 'lowest'")
        highest = spec.keep.lowest is None
        which = "highest" if highest else "lowest"
        return self._formula(getattr(spec.keep, which), (*path, "keep", which)), highest

    def _faces(
        self, written: tuple[str | int, ...] | None, dice: DiceExpression | GameDie | None, path: KeyPath
    ) -> tuple[Face, ...] | None:
        """Return faces of a die.

        Report those that it does not have.
        """
        if written is None or dice is None:
            return None
        known = dice.faces if isinstance(dice, GameDie) else tuple(range(1, sides_of(dice) + 1))
        by_name = {str(face): face for face in known}
        for index, face in enumerate(written):
            if str(face) not in by_name:
                message = f"the die has no face '{face}'{did_you_mean(str(face), by_name)}"
                self._context.report((*path, index), message, f"its faces: {', '.join(by_name)}")
        return tuple([by_name[str(face)] for face in written if str(face) in by_name])
