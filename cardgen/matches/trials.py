"""Output of the referee's commands: trials, odds tables, plots, verification."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cardgen.deck.deck import game_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, escape_controls
from cardgen.matches import session
from cardgen.matches.session import Prompt, TrialRequest, TrialRun
from cardgen.project.project import Project
from cardgen.referee.odds import bar, decimal, percent, short_fraction
from cardgen.referee.trial import OddsTable, label_of, not_adjudicated_lines, notes_of
from cardgen.runtime import atomic_write
from cardgen.runtime.regular_file import DASH
from cardgen.runtime.workspace import Workspace
from cardgen.units import quantity

if TYPE_CHECKING:
    from cardgen.export import charts

# Prints plain data, for programs.
Emit: TypeAlias = Callable[[Mapping[str, object]], None]
BAR_WIDTH, DECIMAL_DIGITS = 30, 15
PLOT_SUFFIXES = (".svg", ".png")


def odds_as_text(figures: Sequence[OddsTable], not_simulated: Sequence[str] = ()) -> list[str]:
    """Return odds tables with bars, for a terminal, below a line for everything that they leave out."""
    lines = []
    for each in figures:
        lines += ["", each.title]
        rows = (*each.parts, *each.chances)
        width = max((len(words) for words, _ in (*rows, *each.means)), default=0)
        for words, value in rows:
            line = f"  {words:<{width}}  {percent(value, 2):>9}  {bar(value, BAR_WIDTH)}  {short_fraction(value)}"
            lines.append(line.rstrip())
        lines += [
            f"  {words:<{width}}  {decimal(value, 4):>9}  {short_fraction(value)}".rstrip()
            for words, value in each.means
        ]
    left_out = not_adjudicated_lines(not_simulated)
    return [*map(escape_controls, [*left_out, *lines[0 if left_out else 1 :]])]


def odds_as_data(figures: Sequence[OddsTable]) -> list[dict[str, object]]:
    """Return odds as plain data, with fractions and decimals."""
    return [
        {
            "title": each.title,
            **{
                name: {words: exact_and_decimal(value) for words, value in getattr(each, name)}
                for name in ("parts", "chances", "means")
            },
        }
        for each in figures
    ]


def exact_and_decimal(value: Fraction) -> dict[str, str]:
    """Return a number as plain data: its fraction, and a decimal with 15 digits."""
    return {"exact": str(value), "decimal": decimal(value, DECIMAL_DIGITS)}


def odds_as_csv(figures: Sequence[OddsTable], not_simulated: Sequence[str] = ()) -> str:
    """Return a row per figure: title, label, exact fraction, decimal; before them, one for everything left out."""
    left_out = [(label_of(each), each, "", "") for each in not_simulated]
    rows = [
        (each.title, words, str(value), decimal(value, DECIMAL_DIGITS))
        for each in figures
        for words, value in (*each.parts, *each.chances, *each.means)
    ]
    return csv_table(("table", "what", "exact", "decimal"), [*left_out, *rows])


def csv_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows as CSV."""
    return csv_rows([head, *rows])


def csv_rows(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV without a head, in which a spreadsheet finds no formulas."""
    from cardgen.tables.csv_file import defuse  # loaded here because most runs write no CSV

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([defuse(cell) for cell in row] for row in rows)
    return text.getvalue()


def require_plot_suffix(path: Path | None) -> None:
    """Raise CardgenError if a picture cannot be written to a file of this name."""
    if path not in (None, DASH) and path.suffix.lower() not in PLOT_SUFFIXES:
        message = f"'{path.name}' is not an .svg or .png file"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--plot"), "write FILE.svg or FILE.png"))


def write_plot(path: Path, chart: charts.Chart) -> None:
    """Write a chart as SVG or PNG, depending on the suffix; '-' is SVG on standard output.

    Raises CardgenError for any other suffix.
    """
    require_plot_suffix(path)
    # loaded here so that tables do not import graphics libraries
    from cardgen.export.charts import CHART_DPI, chart_face
    from cardgen.export.svg import render_face
    from cardgen.text.fonts import Fonts

    fonts = Fonts()
    suffix = "svg" if path == DASH else path.suffix.lower().removeprefix(".")
    content = render_face(chart_face(chart, fonts), suffix, fonts, path.stem, CHART_DPI)
    atomic_write.write(path, content)


def odds_plot(figures: Sequence[OddsTable], not_simulated: Sequence[str] = ()) -> charts.Chart:
    """Return a bar chart of all chances, below a line for everything that they leave out."""
    from cardgen.export import charts  # loaded here because few trials are drawn

    return charts.bar_chart(
        [(each.title, (*each.parts, *each.chances)) for each in figures if each.parts or each.chances],
        not_adjudicated_lines(not_simulated),
    )


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The mode of a trial (roll, odds, or ask), and its outputs."""

    mode: str = "roll"
    seed: str | None = None
    output: Path | None = None
    table_format: str = "text"
    plot: Path | None = None


def run_trial(
    request: TrialRequest, options: RunOptions, prompt: Prompt, tell: Callable[[str], None], emit: Emit
) -> None:
    """Run a trial in the requested mode, and print it.

    `emit` prints plain data, for the format 'json'.
    """
    require_plot_suffix(options.plot)
    trial_run = session.prepare_trial(request)
    if options.mode == "odds" or options.plot:
        _print_odds(trial_run, session.exact_odds(trial_run), options, tell, emit, request.workspace)
        return
    is_data = options.table_format == "json"
    if not is_data:
        tell(trial_run.prepared.title)
        for line in not_adjudicated_lines(trial_run.prepared.not_simulated):
            tell(line)
    is_asked = options.mode == "ask"
    played = session.ask(trial_run, prompt, tell) if is_asked else session.roll(trial_run, options.seed)
    path = session.save_transcript(played, request.trial, options.output)
    if is_data:
        lines = {"events": played.lines[: len(played.events)], "outcome": played.outcome}
        emit({**_about(trial_run), **lines, "seed": played.seed, "transcript": path})
        return
    for line in played.lines:
        tell(line)
    seed = f"seed {played.seed}; " if played.seed else ""
    tell(f"{seed}transcript {path.as_posix()}")


def _about(trial_run: TrialRun) -> dict[str, object]:
    """Return what all results of a trial have in common."""
    header = trial_run.header
    return {
        "title": trial_run.prepared.title,
        "rulings": dict(header.rulings),
        "policy": dict(header.policy),
        **notes_of(trial_run.prepared.not_simulated),
    }


def _print_odds(
    trial_run: TrialRun,
    figures: Sequence[OddsTable],
    options: RunOptions,
    tell: Callable[[str], None],
    emit: Emit,
    workspace: Workspace | None,
    **more: object,
) -> None:
    """Print odds; `more` is added to plain data."""
    left_out = trial_run.prepared.not_simulated
    if options.plot:
        write_plot(options.plot, odds_plot(figures, left_out))
    if options.table_format == "json":
        plot = {"plot": options.plot} if options.plot else {}
        emit({**_about(trial_run), "tables": odds_as_data(figures), **plot, **more})
    elif options.plot:
        tell(options.plot.as_posix())
    elif options.table_format == "csv":
        for line in odds_as_csv(figures, left_out).rstrip("\n").split("\n"):
            tell(line)
    else:
        for line in odds_as_text(figures, left_out):
            tell(line)
        _print_config(trial_run, tell, workspace)


def _print_config(trial_run: TrialRun, tell: Callable[[str], None], workspace: Workspace | None) -> None:
    """Print the rulings with non-default settings, and the policy."""
    rules, _ = session.load_referee(trial_run.header.game, workspace)
    overrides = session.non_default_switches(trial_run.header.rulings, rules.rulings)
    policy = ", ".join(f"{name}={setting}" for name, setting in trial_run.header.policy.items())
    tell("")
    tell(f"rulings: {', '.join(overrides) or 'default'}{'; policy: ' if policy else ''}{policy}")


def run_duel(request: TrialRequest, options: RunOptions, tell: Callable[[str], None], emit: Emit) -> None:
    """Print the exact odds of a duel, and their ruling sensitivity."""
    require_plot_suffix(options.plot)
    trial_run = session.prepare_trial(request)
    figures = session.exact_odds(trial_run)
    is_plain = options.table_format == "csv" or bool(options.plot)
    sensitivity = [] if is_plain else session.ruling_sensitivity(request)
    others = [
        {"ruling": name, "setting": setting, "tables": odds_as_data(after)} for name, setting, after in sensitivity
    ]
    _print_odds(
        trial_run, figures, options, tell, emit, request.workspace, **{} if is_plain else {"other rulings": others}
    )
    if options.table_format != "text" or is_plain:
        return
    tell("")
    tell("with other rulings:" if sensitivity else "other rulings would not change these odds")
    for name, setting, after in sensitivity:
        changes = ", ".join(changed_chances(figures, after))
        tell(f"  {name}={setting}: {changes or 'changes only other figures'}")


def changed_chances(before: Sequence[OddsTable], after: Sequence[OddsTable]) -> list[str]:
    """Return changed chances, such as 'A wins 42.67 % (A goes first)'."""
    changes = []
    for old, new in zip(before, after, strict=False):
        rows = dict((*old.parts, *old.chances)) if old.chances else {}
        for words, value in (*new.parts, *new.chances) if rows else ():
            if value != rows.get(words):
                changes.append(f"{words} {percent(value, 2)} ({new.title})")
    return changes


def report_verification(
    path: Path, rulings: tuple[str, ...], tell: Callable[[str], None], emit: Emit | None = None
) -> None:
    """Verify a transcript, or replay it with other rulings.

    `emit` prints plain data instead of text.
    """
    if rulings:
        played = session.replay(path, rulings)
        if emit:
            emit({"events": played.lines[: len(played.events)], "outcome": played.outcome})
        else:
            for line in played.lines:
                tell(line)
        return
    verdict = session.verify_transcript(path)
    if emit:
        counts = {"answers": verdict.questions, "dice": verdict.dice}
        emit({"valid": True, **counts, "secrets": verdict.has_secret, "finished": verdict.is_finished})
        return
    secret = ", the secrets match their commitment" if verdict.has_secret else ""
    end = "" if verdict.is_finished else " (not finished)"
    tell(f"VALID: {quantity(verdict.questions, 'answer')}, {quantity(verdict.dice, 'die', 'dice')}{secret}{end}")


def list_rulings(game: str | None, workspace: Workspace | None = None) -> list[tuple[str, str, bool, bool, str, str]]:
    """List the settings of all rulings.

    A row has the id and question of the ruling, whether its setting is current, whether it is the default,
    and the name and description of the setting.
    """
    project = Project.open(workspace)
    rules = game_of(project, game)
    settings = session.rulings_of_project(project, rules)
    return [
        (ruling.id, ruling.question, settings[ruling.id] == setting, ruling.default == setting, setting, words)
        for ruling in rules.rulings
        for setting, words in ruling.settings.items()
    ]
