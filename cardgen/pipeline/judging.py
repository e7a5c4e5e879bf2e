"""What the commands of the referee answer: lines for the terminal, and files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline import refereeing, sessions, verdicts
from cardgen.pipeline.refereeing import TrialRequest, TrialRun
from cardgen.pipeline.sessions import Prompt
from cardgen.project import Project
from cardgen.referee.codes import Code
from cardgen.referee.expression import parse
from cardgen.referee.figures import percent
from cardgen.referee.playing import play, seeded_answers
from cardgen.referee.requests import in_scope
from cardgen.rulesets.adjudication import OddsTable
from cardgen.rulesets.ruling import settings_in_force

MOST_TIMES = 10_000


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How something is judged (roll, odds or ask), and where the answer goes."""

    mode: str = "roll"
    seed: str | None = None
    output: Path | None = None
    table_format: str = "text"
    plot: Path | None = None


def run_trial(request: TrialRequest, options: RunOptions, prompt: Prompt, tell: Callable[[str], None]) -> None:
    """Judge a plea as the reading says, and tell it line by line."""
    trial_run = refereeing.prepare_trial(request)
    if options.mode == "odds" or options.plot:
        _print_odds(trial_run, refereeing.exact_odds(trial_run), options, tell)
        return
    tell(trial_run.prepared.title)
    is_asked = options.mode == "ask"
    played = sessions.ask(trial_run, prompt, tell) if is_asked else sessions.roll(trial_run, options.seed)
    for line in played.lines:
        tell(line)
    _print_not_adjudicated(trial_run, tell)
    path = sessions.save_transcript(played, request.trial, options.output)
    seed = f"seed {played.seed}; " if played.seed else ""
    tell(f"{seed}transcript {path.as_posix()}")


def _print_odds(
    trial_run: TrialRun, figures: Sequence[OddsTable], options: RunOptions, tell: Callable[[str], None]
) -> None:
    if options.plot:
        verdicts.write_plot(options.plot, verdicts.odds_plot(figures))
        tell(options.plot.as_posix())
        return
    if options.table_format == "json":
        about = {
            "title": trial_run.prepared.title,
            "rulings": dict(trial_run.header.rulings),
            "policy": dict(trial_run.header.policy),
        }
        tell(
            verdicts.odds_as_json(figures, {**about, "not adjudicated": list(trial_run.prepared.not_simulated)}).rstrip(
                "\n"
            )
        )
    elif options.table_format == "csv":
        tell(verdicts.odds_as_csv(figures).rstrip("\n"))
    else:
        for line in verdicts.odds_as_text(figures):
            tell(line)
        _print_config(trial_run, tell)
        _print_not_adjudicated(trial_run, tell)


def _print_config(trial_run: TrialRun, tell: Callable[[str], None]) -> None:
    """The rulings that are turned over, and how choices are made."""
    rules, _ = refereeing.load_referee(trial_run.header.game)
    overrides = refereeing.non_default_switches(trial_run.header.rulings, rules.rulings)
    policy = ", ".join(f"{name}={setting}" for name, setting in trial_run.header.policy.items())
    tell("")
    tell(f"rulings: {', '.join(overrides) or 'as by default'}; policy: {policy}")


def _print_not_adjudicated(trial_run: TrialRun, tell: Callable[[str], None]) -> None:
    for each in trial_run.prepared.not_simulated:
        tell(f"not adjudicated: {each}")


def run_duel(request: TrialRequest, options: RunOptions, tell: Callable[[str], None]) -> None:
    """The exact chances of a duel, and under which rulings they would be others."""
    trial_run = refereeing.prepare_trial(request)
    figures = refereeing.exact_odds(trial_run)
    _print_odds(trial_run, figures, options, tell)
    if options.table_format != "text" or options.plot:
        return
    sensitivity = refereeing.ruling_sensitivity(request)
    tell("")
    tell("under other rulings:" if sensitivity else "no other ruling would change this")
    for name, setting, after in sensitivity:
        changes = ", ".join(_changed_chances(figures, after))
        tell(f"  {name}={setting}: {changes or 'none of these chances, other figures only'}")


def _changed_chances(before: Sequence[OddsTable], after: Sequence[OddsTable]) -> list[str]:
    """'A wins 42.67 % (A goes first)', for each chance of a whole duel that is another."""
    changes = []
    for old, new in zip(before, after, strict=True):
        if not old.chances:
            continue
        for (words, value), (_, other) in zip((*old.parts, *old.chances), (*new.parts, *new.chances), strict=True):
            if value != other:
                changes.append(f"{words} {percent(other, 2)} ({new.title})")
    return changes


def roll_dice(text: str, seed: str | None, times: int, *, exact: bool, tell: Callable[[str], None]) -> None:
    """Roll dice as players write them, or tell their odds."""
    expression = parse(text)
    if exact:
        die = expression.odds()
        rows = tuple((str(value), chance) for value, chance in sorted(die))
        for line in verdicts.odds_as_text([OddsTable(text, rows, means=(("mean", die.mean(int)),))]):
            tell(line)
        return
    if not 1 <= times <= MOST_TIMES:
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, f"roll 1 to {MOST_TIMES} times", Place("--times")))
    chosen_seed = sessions.seed_or_new(seed)
    for time in range(1, times + 1):
        faces: list[int] = []
        procedure = in_scope(f"{text} {time}", expression.procedure())
        total = play(procedure, seeded_answers(chosen_seed), lambda told, faces=faces: faces.append(told.answer))  # type: ignore[misc]
        tell(f"{total}" if len(faces) == 1 else f"{total}  ({' '.join(map(str, faces))})")
    tell(f"seed {chosen_seed}")


def report_verification(path: Path, rulings: tuple[str, ...], tell: Callable[[str], None]) -> None:
    """Say whether a transcript is valid, or play it again under other rulings."""
    if rulings:
        for line in sessions.replay(path, rulings).lines:
            tell(line)
        return
    verdict = sessions.verify_transcript(path)
    end = "" if verdict.is_finished else ", as far as it goes: it is not finished"
    tell(f"VALID: {verdict.questions} answers, {verdict.dice} dice{end}")


def list_rulings(game: str | None) -> list[tuple[str, str, bool, bool, str, str]]:
    """Each setting of each ruling: its id, question, whether it holds here, whether by default, and what it says."""
    rules, _ = refereeing.load_referee(game)
    settings, unknown = settings_in_force(rules.rulings, Project.find().settings.rulings)
    if unknown:
        raise CardgenError(
            *(Diagnostic(Code.UNKNOWN_SWITCH, str(each), Project.find().place(("rulings", *each.path)), each.help)
              for each in unknown)
        )  # fmt: skip
    return [
        (ruling.id, ruling.question, settings[ruling.id] == setting, ruling.default == setting, setting, words)
        for ruling in rules.rulings
        for setting, words in ruling.settings.items()
    ]
