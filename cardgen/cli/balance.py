"""`cardgen balance`: a round robin of all cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._json import json_option, print_json, remember_json_format
from cardgen.cli._progress import ProgressBar
from cardgen.cli._terminal import print_data, print_line
from cardgen.cli._trial_options import rules_options
from cardgen.runtime.standard_io import DASH


@click.command("balance")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only cards of this kind. Can be repeated.")
@click.option(
    "--with",
    "names",
    multiple=True,
    metavar="CARD",
    help="Also rank cards that carry this card. Can be repeated.",
)
@click.option("--with-all", is_flag=True, help="Like --with, for every card that can be carried.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "csv", "json")),
    default="text",
    callback=remember_json_format,
    help="A ranking (text), all pairs (csv), or both (json).",
)
@json_option
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw a heat map of all pairs: FILE.svg or FILE.png.",
)
@rules_options
def command(
    paths: tuple[Path, ...],
    kinds: tuple[str, ...],
    names: tuple[str, ...],
    with_all: bool,
    form: str,
    as_json: bool,
    plot: Path | None,
    rulings: Any,
    policy: Any,
    game: str | None,
) -> None:
    """Rank cards by the exact odds of duels between all of them.

    A score is the chance to win, averaged over all opponents and over who goes first; a draw counts half. Cards that
    can be carried, such as a relic, are used only with --with. Then the result also shows how much each of them adds.

    PATHS are card files or folders; the default is the project's cards.
    """
    from cardgen.pipeline.referee import balance, run  # loaded here to keep 'cardgen --help' fast

    run.require_plot_suffix(plot)
    carried_cards = balance.CarriedCards(names, with_all)
    with ProgressBar() as progress:
        result = balance.compute_balance(paths, kinds, carried_cards, (rulings, policy), progress.step, game)
    if plot is not None:
        run.write_plot(plot, balance.heat_map(result))
    if as_json or form == "json":
        print_json("balance", {**balance.as_data(result), **({"plot": plot} if plot else {})})
    elif plot is not None:
        print_line(plot.as_posix(), err=plot == DASH)
    elif form == "csv":
        for rows in balance.as_csv(result):
            print_data(rows)
    else:
        for line in balance.as_text(result):
            print_line(line)
