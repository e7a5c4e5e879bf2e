"""`cardgen battle`: a match tracker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._trial_options import cards_and_rules_options, given_values, prompt, trial_command


@click.command("battle", cls=trial_command("battle", "a", "b"))
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--seed", metavar="TEXT", help="Roll the dice of this seed.")
@click.option("--ask", is_flag=True, help="Type what real dice show.")
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), help="The file that the game is kept in: battle.jsonl."
)
@click.option("--resume", type=click.Path(path_type=Path, dir_okay=False), help="Go on with this game.")
@cards_and_rules_options
def command(
    a: str | None,
    b: str | None,
    seed: str | None,
    ask: bool,
    save: Path | None,
    resume: Path | None,
    rulings: Any,
    policy: Any,
    paths: tuple[Path, ...],
    game: str | None,
    **options: Any,
) -> None:
    """Play warband A against warband B, step by step.

    It says what is legal, asks for what the players choose and measure, rolls the dice (or asks for them), and keeps
    count. After every step the game is saved; --resume goes on with it, and 'cardgen verify' proves it.
    """
    from cardgen.pipeline.referee import match_tracker  # loaded here, so that 'cardgen --help' stays quick
    from cardgen.pipeline.referee.setup import TrialRequest

    if resume is not None:
        if a is not None or b is not None:
            raise click.UsageError("--resume goes on with a game as it was begun; name no warbands")
        match = match_tracker.resume(resume, click.echo)
    elif a is None or b is None:
        raise click.UsageError("name two warbands, or a game with --resume")
    else:
        request = TrialRequest("battle", given_values({"a": a, "b": b, **options}), rulings, policy, paths, game)
        match = match_tracker.begin(request, save, seed, players_roll=ask)
    match_tracker.run(match, prompt, click.echo)
