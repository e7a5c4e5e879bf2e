"""`cardgen attack`: one attack or channel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._options import cards_and_rules_options, run_options, run_trial, trial_command


@click.command("attack", cls=trial_command("attack", "attacker", "weapon", "target"))
@click.argument("attacker")
@click.argument("weapon_and_target", nargs=-1, required=True, metavar="[WEAPON] TARGET")
@run_options
@cards_and_rules_options
def command(
    attacker: str,
    weapon_and_target: tuple[str, ...],
    rulings: Any,
    policy: Any,
    paths: tuple[Path, ...],
    **options: Any,
) -> None:
    """Roll an attack, compute its odds, or play it with real dice.

    Without WEAPON, the ATTACKER uses the first weapon that can attack TARGET. Other options describe the situation of
    the two miniatures. By default, the target is in range.
    """
    if len(weapon_and_target) > 2:
        raise click.UsageError("expected ATTACKER [WEAPON] TARGET; put names with spaces in quotes")
    *weapon, target = weapon_and_target
    values = {"attacker": attacker, "target": target, "weapon": weapon[0] if weapon else None}
    run_trial("attack", values, (rulings, policy, paths), options)
