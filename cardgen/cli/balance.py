"""`cardgen balance`: a round robin of all cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._stderr import ProgressBar
from cardgen.cli._trial_options import rules_options


@click.command("balance")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only cards of this kind.")
@click.option("--with", "names", multiple=True, metavar="CARD", help="Who may carry this card also enters with it.")
@click.option("--with-all", is_flag=True, help="The same with every card that can be carried.")
@click.option("--format", "form", type=click.Choice(("text", "csv")), default="text", help="A ranking, or all pairs.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw all pairs: FILE.svg or .png.")
@rules_options
def command(
    paths: tuple[Path, ...],
    kinds: tuple[str, ...],
    names: tuple[str, ...],
    with_all: bool,
    form: str,
    plot: Path | None,
    rulings: Any,
    policy: Any,
    game: str | None,
) -> None:
    """Let every card in PATHS duel every other, exactly, and rank them.

    A score is the chance to win, a draw counting half, over both orders and all opponents. Carried cards, such as a
    relic, are used only where --with names them; then it is also told how much each adds.
    """
    from cardgen.pipeline.referee import balance, run  # loaded here, so that 'cardgen --help' stays quick

    carried_cards = balance.CarriedCards(names, with_all)
    with ProgressBar() as progress:
        result = balance.compute_balance(paths, kinds, carried_cards, (rulings, policy), progress.step, game)
    if plot is not None:
        run.write_plot(plot, balance.heat_map(result))
        click.echo(plot.as_posix())
    elif form == "csv":
        click.echo(balance.as_csv(result), nl=False)
    else:
        click.echo("\n".join(balance.as_text(result)))
