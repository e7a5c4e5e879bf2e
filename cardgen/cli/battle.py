"""`cardgen battle`: the battle tracker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._options import GAME_KEY, cards_and_rules_options, given_values, trial_command, workspace
from cardgen.cli._output import print_line, print_styled, prompt

# The sides of a battle, by their names in its situation.
SIDES = ("a", "b", "c", "d")


@click.command("battle", cls=trial_command("battle", *SIDES))
@click.argument("lists", metavar="A B [C] [D]", nargs=-1)
@click.option("--seed", metavar="TEXT", help="Seed of the dice, to repeat a battle.")
@click.option("--ask", is_flag=True, help="Prompt for the results of real dice.")
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), help="File for the battle (default: battle.jsonl)."
)
@click.option("--resume", type=click.Path(path_type=Path, dir_okay=False), help="Resume the battle in this file.")
@cards_and_rules_options
def command(
    lists: tuple[str, ...],
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
    """Track a battle of warband A against warband B, step by step; some games allow up to four.

    The tracker lists the legal choices, prompts for decisions and measurements, rolls the dice (or prompts for them),
    and keeps score. It saves the battle after every step. To continue later, use --resume. To check a saved battle, run
    'cardgen verify'.
    """
    from cardgen.matches import match  # loaded here to keep 'cardgen --help' fast
    from cardgen.matches.session import TrialRequest

    if resume is not None:
        if lists:
            raise click.UsageError("--resume continues a battle with its own warbands; do not give A and B")
        played = match.resume(resume, print_line, workspace())
    else:
        game = game or click.get_current_context().meta.get(GAME_KEY)
        values = given_values({**_sides_of(lists, game), **options})
        request = TrialRequest("battle", values, rulings, policy, paths, game, workspace())
        played = match.begin(request, save, seed, players_roll=ask)
    match.track(played, prompt, print_line, print_styled)


def _sides_of(lists: tuple[str, ...], game: str | None) -> dict[str, str]:
    """Return the lists by side. Raises click.UsageError for fewer or more than the game allows."""
    from cardgen.matches.session import trial_parameters

    if len(lists) < 2:
        raise click.UsageError("give two warbands, or --resume FILE")
    sides = [each for each in SIDES if each in trial_parameters("battle", game, workspace())]
    if len(lists) > len(sides):
        raise click.UsageError(f"battles of this game have {len(sides)} sides at most, not {len(lists)}")
    return dict(zip(sides, lists, strict=False))
