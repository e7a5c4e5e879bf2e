"""Trials of a game, from the steps in its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from cardgen.game_file.context import GameContext
from cardgen.rulesets.ruleset import FacesByDie

if TYPE_CHECKING:  # Games without dice and trials need neither.
    from cardgen.game_file.trial.dice import GameDie
    from cardgen.game_file.trial.program import Program


def compile_trials(context: GameContext) -> tuple[Callable[[], Any] | None, FacesByDie]:
    """Return a function that creates the object with the `TRIALS`, and the faces of the dice by name.

    The function is None for a game without trials. Report mistakes in trials and dice.
    """
    dice = _compile_dice(context) if context.spec.dice else {}
    faces = {name: die.candidates for name, die in dice.items()}
    programs = cache(partial(_compile_programs, context, dice))
    if not context.spec.trials or not (context.is_tested or programs()):
        return None, faces
    return cache(partial(_create_module, context, dice, programs)), faces


def _compile_dice(context: GameContext) -> Mapping[str, GameDie]:
    from cardgen.game_file.trial.dice_compiler import compile_dice

    return compile_dice(context)


def _compile_programs(context: GameContext, dice: Mapping[str, GameDie]) -> Mapping[str, Program]:
    from cardgen.game_file.trial.compiler import compile_programs

    return compile_programs(context, dice)


def _create_module(
    context: GameContext, dice: Mapping[str, GameDie], programs: Callable[[], Mapping[str, Program]]
) -> Any:
    from cardgen.game_file.trial.game_trials import TrialModule

    return TrialModule(context.spec, programs(), dice, context.kinds)
