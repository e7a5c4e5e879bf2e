"""What a card may not say: the code, the place, and how it is mended."""

from __future__ import annotations

import re
from pathlib import Path

from cardgen.diagnostic import Diagnostic
from cardgen.model.deck import read_deck
from cardgen.project.project import Project
from cardgen.rulesets.ruleset import Ruleset, ruleset
from cardgen.rulesets.vocabulary import LimitRule
from cardgen.rulesets.warniris import rulebook
from tests.cases import each_case

BREACHES = [breach for breach in vars(rulebook).values() if isinstance(breach, LimitRule)]

STATS = "stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}"
RELIC = "kind: relic\nname: A\neffects: "
EARN = "kind: mission\nname: A\nvp: 2\nearn: "
# A card, the code, the text that the diagnostic points to, its message, and the start of its help.
WRONG = [
    (
        "kind: minion\nname: A\nstats: {M: 6, B: 2, S: 2, W: 1, Mo: 10}",
        "WN101",
        "6",
        "must be between 1 and 5, not 6",
        "Mind",
    ),
    (
        "kind: minion\nname: A\nstats: {M: 1, B: 2, S: 2, W: 0, Mo: 10}",
        "WN104",
        "0",
        "must be between 1 and 30, not 0",
        "Wounds",
    ),
    (
        f"kind: minion\nname: A\n{STATS}\nweapons: [{{Blade: MW R1}}]",
        "WN102",
        "MW R1",
        "unknown weapon type 'MW' (one of CW, RW, P)",
        "ruling mission-14-type: MW means a Combat Weapon, CW",
    ),
    (
        f"kind: minion\nname: A\n{STATS}\nweapons: [{{name: Blade, type: rw}}]",
        "WN102",
        "rw",
        "unknown weapon type 'rw' (one of CW, RW, P)",
        "did you mean 'RW'?",
    ),
    (
        RELIC + "[{if: {weapon: MW}, bearer: {mind: 1}}]",
        "WN102",
        "MW",
        "unknown weapon type 'MW' (one of CW, RW, P)",
        "ruling",
    ),
    (
        EARN + "{event: attack, weapon: MW}",
        "WN102",
        "MW",
        "unknown weapon type 'MW' (one of CW, RW, P, ruling)",
        "ruling mission-14-type",
    ),
    (
        f"kind: minion\nname: A\n{STATS}\nweapons: [{{A: RW X1}}]",
        "WN103",
        "RW X1",
        "'X1' is not a valid Rn, Pn, Dn, or Hn",
        "",
    ),
    (f"kind: minion\nname: A\n{STATS}\nweapons: [{{A: RW R01}}]", "WN103", "RW R01", "'R01' is not a valid Rn", ""),
    (f"kind: minion\nname: A\n{STATS}\nweapons: [{{A: RW R1 R2}}]", "WN103", "RW R1 R2", "repeated letter R", ""),
    (
        f"kind: minion\nname: A\n{STATS}\nweapons: [{{Net: {{type: RW, range: 10}}}}]",
        "WN103",
        "{Net: {type: RW, range: 10}}",
        "the name 'Net' cannot have a map as its value",
        "write it inside: {name: Net, …}",
    ),
    (
        f"kind: minion\nname: A\n{STATS}\nweapons: [{{A: RW R74}}]",
        "WN105",
        "RW R74",
        "must be between 0 and 73, not 74",
        "",
    ),
    (RELIC + "[{bearer: {mind: 0}}]", "WN106", "0", "a change must not be 0", ""),
    (RELIC + "[{if: {roll: [1, 7]}, bearer: {mind: 1}}]", "WN106", "7", "must be between 1 and 6, not 7", ""),
    (RELIC + "[{if: {roll: [1, 1]}, bearer: {mind: 1}}]", "WN106", "[1, 1]", "repeated face of the die", ""),
    (RELIC + "[{when: hit}]", "WN107", "{when: hit}", "must have at least one of the keys bearer, attacker", ""),
    (RELIC + "[{bearer: {}}]", "WN107", "{}", "must have at least one of the keys mind, body", ""),
    (
        RELIC + "[{while: hit, bearer: {mind: 1}}]",
        "WN108",
        "while",
        "'while: hit' has no end",
        "'while' requires 'for'",
    ),
    ("kind: relic\nname: A", "WN109", "kind: relic", "must have at least one of the keys effects, text", ""),
    ("kind: mission\nname: A\nvp: 11\ntext: B", "WN110", "11", "must be between 1 and 10, not 11", ""),
    ("kind: mission\nname: A\nvp: 1", "WN111", "kind: mission", "must have at least one of the keys earn, text", ""),
    (
        "kind: warband\nname: A\nmembers: [" + ", ".join(["{character: b}"] * 5) + "]",
        "WN112",
        "{character: b}",  # the first one too many
        "5 members are too many",
        "",
    ),
    (
        "{kind: warband, name: A, members: [{character: b}], minions: [{minion: b}]}",
        "WN112",
        "{kind: warband, name: A, members: [{character: b}], minions: [{minion: b}]}",
        "must have exactly one of the keys members, minions",
        "",
    ),
    (
        "{kind: cylinder, name: A, base: 50}",
        "WN113",
        "50",
        "no proxy fits a base of 50 mm",
        "bases measure 25",
    ),
    (
        "{kind: standee, name: A, base: 28}",
        "WN113",
        "28",
        "no proxy fits a base of 28 mm",
        "bases measure 25",
    ),
    ("{kind: token, name: A, value: 100}", "WN114", "100", "must be between 1 and 99, not 100", "a token has a value"),
]


def diagnostics(folder: Path, text: str) -> tuple[Diagnostic, ...]:
    rules = ruleset("warniris")
    assert isinstance(rules, Ruleset)
    card = folder / "card.yaml"
    card.write_text(text + "\n", encoding="utf-8")
    games = {"warniris": {name: kind.model for name, kind in rules.kinds.items()}}
    return read_deck(Project(folder), [card], games, "warniris").diagnostics


def marked(text: str, found: Diagnostic) -> str:
    """What the diagnostic points to; all of it stands in one line."""
    span = found.place.span
    assert span
    assert span.line == span.end_line
    return text.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]


@each_case(("text", "code", "place", "message", "advice"), WRONG)
def test_a_broken_limit_is_located(tmp_path: Path, text: str, code: str, place: str, message: str, advice: str) -> None:
    (found,) = diagnostics(tmp_path, text)
    assert found.code == code
    assert found.message.startswith(message)
    assert found.help.startswith(advice)
    assert found.help
    assert marked(text, found) == place


def test_every_code_is_shown_above_and_stands_once() -> None:
    codes = [breach.code for breach in BREACHES]
    assert codes
    assert len(set(codes)) == len(codes)
    assert {code for _, code, *_ in WRONG} == set(codes)
    assert all(re.fullmatch(r"WN1\d\d", code) for code in codes)
    assert len({breach.name for breach in BREACHES}) == len(codes)


def test_once_is_true_false_or_turn(tmp_path: Path) -> None:
    (found,) = diagnostics(tmp_path, "kind: relic\nname: A\ntext: B\nonce: 1")
    assert found.message == "'once' must be true, false, or turn, not 1"
