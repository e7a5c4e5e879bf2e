"""`cardgen balance`: a round robin of all cards, and what it tells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli._options import (
    Number,
    WholeNumber,
    build_option,
    format_of_file,
    format_option,
    open_cluster,
    paths_argument,
    plot_option,
    print_or_write,
    rules_options,
    workspace,
)
from cardgen.cli._output import ProgressBar, json_option, json_text, print_line
from cardgen.diagnostic import escape_controls
from cardgen.runtime.regular_file import DASH

if TYPE_CHECKING:
    from cardgen.runtime.workspace import Link

_OUTPUT = Path("output")
_FILE_FORMATS = ("html", "parquet", "arrow")
_FORMATS = ("text", "csv", "json", *_FILE_FORMATS)


@click.command("balance")
@paths_argument
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only cards of this kind. Can be repeated.")
@click.option(
    "--with",
    "names",
    multiple=True,
    metavar="CARD",
    help="Also rank cards that carry this card. Can be repeated.",
)
@click.option("--with-all", is_flag=True, help="Like --with, for every card that can be carried.")
@click.option("--cost", metavar="FIELD", help="Field with the cost of a card.  [default: the game's, or points]")
@click.option(
    "--by",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="Group the cards by this field, such as faction or stats.wounds. Can be repeated.",
)
@click.option("--adjust", is_flag=True, help="Find the single numbers whose change brings an outlier into the band.")
@click.option("--adjust-card", "adjusted", multiple=True, metavar="CARD", help="The same for a card. Can be repeated.")
@click.option(
    "--teams", type=Number(1, 1_000_000), metavar="POINTS", help="Simulate battles of random teams of this cost."
)
@click.option("--team-size", type=WholeNumber(1, 100), metavar="N", help="Most members of a team.  [default: 15]")
@click.option(
    "--team-battles",
    type=WholeNumber(2, 100_000),
    default=200,
    show_default=True,
    metavar="N",
    help="Battles to simulate for every two groups.",
)
@click.option("--seed", default="balance", show_default=True, metavar="TEXT", help="Seed of the random teams.")
@format_option(
    _FORMATS,
    "A report (text), all pairs (csv, parquet, arrow), everything (json), or a web page (html).",
)
@click.option("--rows", type=click.Choice(("pairs", "cards")), default="pairs", help="Rows of csv, parquet, and arrow.")
@click.option("--full", is_flag=True, help="List all cards in the text report, however many there are.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for the report, or - for standard output.  [default: - or output/balance.SUFFIX]",
)
@json_option
@plot_option("Draw a heat map of all pairs: FILE.svg or FILE.png.")
@build_option("jobs")
@build_option("cluster")
@click.option("--no-cache", is_flag=True, help="Compute all duels again, and store nothing.")
@rules_options
def command(
    form: str | None, output: Path | None, as_json: bool, plot: Path | None, full: bool, rows: str, **given: Any
) -> None:
    """Rank cards by the exact odds of duels between all of them.

    A score is the chance to win, averaged over all opponents and over who goes first; a draw counts half. Cards that
    can be carried, such as a relic, are used only with --with. Then the result also shows how much each of them adds.

    If cards have costs, the report compares strength with cost, and lists the cards outside the usual band.

    PATHS are card files or folders; the default is the project's cards.

    Results are stored while they are computed: after an interruption or a change, only new duels are computed.
    """
    from cardgen.balance import tables
    from cardgen.matches import trials  # loaded here to keep 'cardgen --help' fast
    from cardgen.referee.trial import not_adjudicated_lines

    trials.require_plot_suffix(plot)
    form = "json" if as_json else form or format_of_file(output, _FORMATS)
    if form in ("parquet", "arrow"):
        tables.require_arrow()
    with open_cluster(given["cluster"], given["jobs"]) as cluster:
        report = _compute(given, cluster)
    if form not in ("text", "json", "html"):  # These say it themselves.
        for line in not_adjudicated_lines(report.left_out):
            print_line(escape_controls(line), err=True)
    if plot is not None:
        trials.write_plot(plot, tables.heat_map(report))
    if form in _FILE_FORMATS:
        _write_file(report, form, output or _OUTPUT / f"balance.{form}", cards=rows == "cards")
    elif form == "json":
        data = {**tables.as_data(report), **({"plot": plot} if plot else {})}
        print_or_write([json_text("balance", data)], output)
    elif plot is not None and output is None:
        print_line(plot.as_posix(), err=plot == DASH)
    elif form == "csv":
        print_or_write(tables.as_csv(report, cards=rows == "cards"), output)
    else:
        print_or_write((f"{escape_controls(line)}\n" for line in tables.as_text(report, full=full)), output)


def _compute(given: dict[str, Any], cluster: Link | None) -> Any:
    """Compute the report of the options of the command."""
    from cardgen.balance.arena import ComputeOptions
    from cardgen.balance.report import BalanceRequest, CarriedCards, compute_report
    from cardgen.balance.strengths import TeamRequest
    from cardgen.print.request import BuildRequest

    points, members = given["teams"], given["team_size"]
    wants_teams = points is not None or members is not None
    request = BalanceRequest(
        workspace=workspace(cluster=cluster),
        carried=CarriedCards(given["names"], given["with_all"]),
        switches=(given["rulings"], given["policy"]),
        teams=TeamRequest(points, members, given["team_battles"], given["seed"]) if wants_teams else None,
        **{key: given[key] for key in ("paths", "kinds", "game", "cost", "fields", "adjust", "adjusted")},
    )
    with ProgressBar() as progress:
        jobs = BuildRequest(jobs=given["jobs"]).processes
        return compute_report(request, ComputeOptions(jobs, not given["no_cache"], progress.step))


def _write_file(report: Any, form: str, path: Path, *, cards: bool) -> None:
    """Write a web page, Arrow file, or Parquet file, and print its path."""
    from cardgen.balance import report as page
    from cardgen.balance import tables
    from cardgen.runtime import atomic_write

    content = page.as_html(report) if form == "html" else tables.as_arrow(report, form, cards=cards)
    atomic_write.write(path, content)
    print_line(path.as_posix(), err=path == DASH)
