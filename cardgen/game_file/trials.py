"""Trials of a game, from the steps in its file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from cardgen.game_file.context import GameContext
from cardgen.rulesets.ruleset import FacesByDie


def compile_trials(context: GameContext) -> tuple[Callable[[], Any] | None, FacesByDie]:
    """Return a function that creates the object with the `TRIALS`, and the faces of the dice by name.

    The function is None for a game without trials. Report mistakes in trials and dice.
    """
    if not context.spec.trials and not context.spec.dice:
        return None, {}
    from cardgen.game_file.trial.compiler import compile_programs
    from cardgen.game_file.trial.dice_compiler import compile_dice
    from cardgen.game_file.trial.game_trials import TrialModule

    dice = compile_dice(context)
    programs = compile_programs(context, dice)
    faces = {name: die.candidates for name, die in dice.items()}
    return cache(partial(TrialModule, context.spec, programs, dice, context.kinds)) if programs else None, faces
