"""Trials of a game, from the steps in its file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from cardgen.game_file.context import GameContext


def compile_trials(context: GameContext) -> Callable[[], Any] | None:
    """Return a function that creates the object with the `TRIALS`.

    Return None for a game without trials. Report mistakes in them.
    """
    if not context.spec.trials and not context.spec.dice:
        return None
    from cardgen.game_file.trial.compiler import compile_programs
    from cardgen.game_file.trial.dice_compiler import compile_dice
    from cardgen.game_file.trial.game_trials import TrialModule

    dice = compile_dice(context)
    programs = compile_programs(context, dice)
    return cache(partial(TrialModule, context.spec, programs, dice, context.kinds)) if programs else None
