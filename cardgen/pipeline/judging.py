"""What the commands of the referee answer: lines for the terminal, and files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline import refereeing, sessions, verdicts
from cardgen.pipeline.refereeing import Case, Plea
from cardgen.pipeline.sessions import Prompt
from cardgen.project import Project
from cardgen.referee.codes import Code
from cardgen.referee.expression import parse
from cardgen.referee.figures import percent
from cardgen.referee.playing import play, seeded
from cardgen.referee.requests import scoped
from cardgen.rulesets.adjudication import Figures
from cardgen.rulesets.ruling import in_force

MOST_TIMES = 10_000


@dataclass(frozen=True, slots=True)
class Reading:
    """How something is judged (roll, odds or ask), and where the answer goes."""

    how: str = "roll"
    seed: str | None = None
    output: Path | None = None
    form: str = "text"
    plot: Path | None = None


def judge(plea: Plea, reading: Reading, prompt: Prompt, tell: Callable[[str], None]) -> None:
    """Judge a plea as the reading says, and tell it line by line."""
    case = refereeing.hear(plea)
    if reading.how == "odds" or reading.plot:
        _tell_odds(case, refereeing.odds(case), reading, tell)
        return
    tell(case.matter.title)
    asked = reading.how == "ask"
    played = sessions.ask(case, prompt, tell) if asked else sessions.roll(case, reading.seed)
    for line in played.lines:
        tell(line)
    _tell_left_out(case, tell)
    path = sessions.keep(played, plea.trial, reading.output)
    seed = f"seed {played.seed}; " if played.seed else ""
    tell(f"{seed}transcript {path.as_posix()}")


def _tell_odds(case: Case, figures: Sequence[Figures], reading: Reading, tell: Callable[[str], None]) -> None:
    if reading.plot:
        verdicts.draw(reading.plot, verdicts.bars(figures))
        tell(reading.plot.as_posix())
        return
    if reading.form == "json":
        about = {"title": case.matter.title, "rulings": dict(case.header.rulings), "policy": dict(case.header.policy)}
        tell(verdicts.as_json(figures, {**about, "not adjudicated": list(case.matter.left_out)}).rstrip("\n"))
    elif reading.form == "csv":
        tell(verdicts.as_csv(figures).rstrip("\n"))
    else:
        for line in verdicts.as_text(figures):
            tell(line)
        _tell_terms(case, tell)
        _tell_left_out(case, tell)


def _tell_terms(case: Case, tell: Callable[[str], None]) -> None:
    """The rulings that are turned over, and how choices are made."""
    rules, _ = refereeing.court(case.header.game)
    turned = refereeing.turned(case.header.rulings, rules.rulings)
    policy = ", ".join(f"{name}={setting}" for name, setting in case.header.policy.items())
    tell("")
    tell(f"rulings: {', '.join(turned) or 'as by default'}; policy: {policy}")


def _tell_left_out(case: Case, tell: Callable[[str], None]) -> None:
    for each in case.matter.left_out:
        tell(f"not adjudicated: {each}")


def duel(plea: Plea, reading: Reading, tell: Callable[[str], None]) -> None:
    """The exact chances of a duel, and under which rulings they would be others."""
    case = refereeing.hear(plea)
    figures = refereeing.odds(case)
    _tell_odds(case, figures, reading, tell)
    if reading.form != "text" or reading.plot:
        return
    swayed = refereeing.swayed(plea)
    tell("")
    tell("under other rulings:" if swayed else "no other ruling would change this")
    for name, setting, after in swayed:
        changes = ", ".join(_changed(figures, after))
        tell(f"  {name}={setting}: {changes or 'none of these chances, other figures only'}")


def _changed(before: Sequence[Figures], after: Sequence[Figures]) -> list[str]:
    """'A wins 42.67 % (A goes first)', for each chance of a whole duel that is another."""
    found = []
    for old, new in zip(before, after, strict=True):
        if not old.chances:
            continue
        for (words, value), (_, other) in zip((*old.parts, *old.chances), (*new.parts, *new.chances), strict=True):
            if value != other:
                found.append(f"{words} {percent(other, 2)} ({new.title})")
    return found


def dice(text: str, seed: str | None, times: int, *, exact: bool, tell: Callable[[str], None]) -> None:
    """Roll dice as players write them, or tell their odds."""
    expression = parse(text)
    if exact:
        die = expression.odds()
        rows = tuple((str(value), chance) for value, chance in sorted(die))
        for line in verdicts.as_text([Figures(text, rows, means=(("mean", die.mean(int)),))]):
            tell(line)
        return
    if not 1 <= times <= MOST_TIMES:
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, f"roll 1 to {MOST_TIMES} times", Place("--times")))
    given = sessions.seed_of(seed)
    for time in range(1, times + 1):
        faces: list[int] = []
        procedure = scoped(f"{text} {time}", expression.procedure())
        total = play(procedure, seeded(given), lambda told, faces=faces: faces.append(told.answer))  # type: ignore[misc]
        tell(f"{total}" if len(faces) == 1 else f"{total}  ({' '.join(map(str, faces))})")
    tell(f"seed {given}")


def verify(path: Path, rulings: tuple[str, ...], tell: Callable[[str], None]) -> None:
    """Say whether a transcript is valid, or play it again under other rulings."""
    if rulings:
        for line in sessions.replayed(path, rulings).lines:
            tell(line)
        return
    verdict = sessions.verified(path)
    end = "" if verdict.finished else ", as far as it goes: it is not finished"
    tell(f"VALID: {verdict.questions} answers, {verdict.dice} dice{end}")


def rulings(game: str | None) -> list[tuple[str, str, bool, bool, str, str]]:
    """Each setting of each ruling: its id, question, whether it holds here, whether by default, and what it says."""
    rules, _ = refereeing.court(game)
    settings, unknown = in_force(rules.rulings, Project.find().settings.rulings)
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
