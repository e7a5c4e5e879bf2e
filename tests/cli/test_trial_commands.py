"""The commands of the referee, from the command line to the files; whatever is typed, no traceback."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from fractions import Fraction
from pathlib import Path

import pytest

from cardgen.api.odds import OddsTable as PublicTable
from cardgen.cli import run
from cardgen.matches.trials import odds_plot
from cardgen.referee.trial import OddsTable


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Terminal:
    """Runs commands and keeps what they say."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, code: int = 0) -> str:
        assert run(arguments) == code
        captured = self._capsys.readouterr()
        return captured.out if code == 0 else captured.err


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def test_roll(cardgen: Terminal) -> None:
    lines = cardgen("roll", "4d6kh3", "--seed", "s", "--times", "20").splitlines()
    assert len(lines) == 21
    assert lines == cardgen("roll", "4d6kh3", "--seed", "s", "--times", "20").splitlines()
    for line in lines[:-1]:
        total, *faces = map(int, re.findall(r"\d+", line))
        assert total == sum(sorted(faces)[1:])
    assert "1/36" in cardgen("roll", "d66", "--odds")


def test_test(cardgen: Terminal) -> None:
    assert "1/3" in cardgen("test", "sentinel", "mind", "--odds")
    assert "3 or less" in cardgen("test", "Sentinel", "mind", "--bonus", "1", "--seed", "x")
    assert cardgen("verify", "output/test-x.jsonl") == "VALID: 1 answer, 1 die\n"
    assert "must be mind, body, or spirit" in cardgen("test", "Sentinel", "mint", code=1)


@pytest.mark.parametrize(
    "arguments", [("reach", "Tin Rats", "100", "--odds"), ("reach", "Tin Rats", "100", "--plot", "reach.svg")]
)
def test_a_trial_without_odds_says_how_to_run_it(cardgen: Terminal, arguments: tuple[str, ...]) -> None:
    told = cardgen("trial", "--game", "diskwars", *arguments, code=1)
    assert "exact odds are not available for this trial" in told
    assert "help: run it without --odds and --plot" in told
    assert "onto the other disk: 3 flips" in cardgen("trial", "--game", "diskwars", *arguments[:3])


def test_attack_is_rolled_and_verified(cardgen: Terminal) -> None:
    charge = ("attack", "Halvane Doru", "Executioner's Blade", "Old Gravel", "--distance", "8", "--crossed", "1")
    told = cardgen(*charge, "--reaction", "anchor", "--ruling", "reaction-cw-move=none", code=1)
    assert "Anchor reaches 2 cm" in told
    told = cardgen("attack", "Isolde Quill", "Old Gravel", "--gap", "--between", "Brute", "--relic", "Servo-Skull",
                   "--seed", "1", "-o", "a.jsonl")  # fmt: skip
    assert "+2 Servo-Skull" in told
    assert "-1 gap" in told
    assert "VALID" in cardgen("verify", "a.jsonl")
    again = cardgen("verify", "a.jsonl", "--ruling", "clamp-order=before")
    assert "Old Gravel" in again


def test_odds_in_every_form(cardgen: Terminal) -> None:
    arguments = ("attack", "Sentinel", "Rifle", "Brute", "--odds")
    assert "2/9" in cardgen(*arguments)
    data = json.loads(cardgen(*arguments, "--format", "json"))
    assert data["tables"][0]["chances"]["Sentinel wounds"] == {"exact": "2/9", "decimal": "0.222222222222222"}
    assert data["rulings"]["clamp-order"] == "twice"
    assert data["policy"]["relics"] == "prompt"
    rows = list(csv.DictReader(io.StringIO(cardgen(*arguments, "--format", "csv"))))
    assert Fraction(rows[2]["exact"]) == Fraction(2, 9)
    for file, suffix in (("o.csv", "csv"), ("o.json", "json"), ("o.txt", "text")):
        assert cardgen(*arguments, "-o", file) == f"{file}\n"
        assert Path(file).read_text(encoding="utf-8") == cardgen(*arguments, "--format", suffix)
    assert cardgen(*arguments, "-o", "-") == cardgen(*arguments)
    assert "cannot be combined" in cardgen(*arguments, "-o", "o.csv", "--plot", "p.svg", code=2)
    assert "unknown format '.ods'" in cardgen(*arguments, "-o", "o.ods", code=2)
    cardgen(*arguments, "--plot", "p.svg")
    assert "22.22 %" in Path("p.svg").read_text(encoding="utf-8")
    cardgen(*arguments, "--plot", "p.png")
    assert Path("p.png").read_bytes().startswith(b"\x89PNG")


def test_options_come_from_the_situation(cardgen: Terminal) -> None:
    told = cardgen("attack", "--help")
    for option in ("--distance", "--gap", "--between", "--relic", "--reaction", "--moment"):
        assert option in told
    assert "--turns" in cardgen("duel", "--help")


def test_what_is_not_adjudicated_is_said(cardgen: Terminal) -> None:
    Path("cards").mkdir()
    Path("cards/x.yaml").write_text(
        "game: warniris\nkind: character\ncards:\n"
        "  - {name: Bard, stats: {M: 3, B: 3, S: 3, W: 3, Mo: 9}, weapons: [Lute: P R5 D1], "
        "abilities: [{name: Song, text: All dance.}]}\n",
        encoding="utf-8",
    )
    note = "not adjudicated: Bard: 'Song' has only text"
    title, first = cardgen("attack", "Bard", "Brute").splitlines()[:2]
    assert (title, first) == ("Bard: Lute at Brute", note)
    # what is left out comes before the numbers, in every format
    assert cardgen("attack", "Bard", "Brute", "--odds").startswith(note)
    assert cardgen("duel", "Bard", "Brute").startswith(note)
    csv = cardgen("attack", "Bard", "Brute", "--odds", "--format", "csv").splitlines()
    assert csv[1] == "not adjudicated,Bard: 'Song' has only text,,"
    data = cardgen("attack", "Bard", "Brute", "--odds", "--json")
    assert data.index("not adjudicated") < data.index("tables")
    table = OddsTable("A", parts=(("half", Fraction(1, 2)),))
    assert odds_plot((table,), ("rain",)).labels[0].text == "not adjudicated: rain"
    public = PublicTable("A", {"half": Fraction(1, 2)}, not_simulated=("rain",))
    assert str(public).startswith("not adjudicated: rain\n\nA\n")
    assert public._repr_html_().startswith("<p>not adjudicated: rain</p><table>")


def test_duel_tells_how_rulings_would_sway_it(cardgen: Terminal) -> None:
    told = cardgen("duel", "Queen Ysolve", "The Bailiff", "--relic-b", "Iron Halo", "--turns", "2")
    assert "clamp-order=before:" in told
    assert "policy: relics=prompt" in told
    assert "horde-actions" not in told
    cardgen("duel", "Queen Ysolve", "The Bailiff", "--roll", "--seed", "d")
    assert "VALID" in cardgen("verify", "output/duel-d.jsonl")


def test_balance(cardgen: Terminal) -> None:
    told = cardgen("balance", "--kind", "minion")
    assert " 1. " in told
    rows = list(csv.DictReader(io.StringIO(cardgen("balance", "--kind", "minion", "--format", "csv"))))
    scores = {(row["card"], row["against"]): Fraction(row["exact"]) for row in rows}
    assert len(scores) == 6
    assert all(scores[a, b] + scores[b, a] == 1 for a, b in scores)
    cardgen("balance", "--kind", "minion", "--plot", "m.svg")
    assert Path("m.svg").is_file()


TWO = """
kind: character
cards:
  - name: Tam
    stats: {M: 3, B: 3, S: 3, W: 4, Mo: 10}
    weapons: [{Pike: CW R1 P1 D2}]
  - name: Ulf
    stats: {M: 3, B: 3, S: 3, W: 4, Mo: 10}
    weapons: [{Pike: CW R1 P1 D1}]
"""
MOB = """
kind: minion
name: Mob
stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}
weapons: [{Club: CW R1 P0 D1}]
"""


def test_balance_with_what_is_carried(cardgen: Terminal) -> None:
    Path("cards").mkdir()
    Path("cards/two.yaml").write_text(TWO, encoding="utf-8")
    Path("cards/mob.yaml").write_text(MOB, encoding="utf-8")
    told = cardgen("balance", "--with", "iron halo", "--with", "Iron Halo")
    assert "Tam + Iron Halo" in told
    assert told.count("on average") == 1
    rows = list(csv.DictReader(io.StringIO(cardgen("balance", "--with-all", "--format", "csv"))))
    assert len(rows) == 19 * 18
    scores = {(row["card"], row["carries"], row["against"], row["against carries"]): row["exact"] for row in rows}
    assert Fraction(scores["Tam", "Iron Halo", "Ulf", ""]) > Fraction(scores["Tam", "", "Ulf", ""])
    assert not any(row["carries"] for row in rows if row["card"] == "Mob")


def test_cover_is_what_the_rules_make_of_it(cardgen: Terminal) -> None:
    attack = ("attack", "Sentinel", "Brute", "--odds", "--format", "csv")
    assert cardgen(*attack, "--cover", "gap") == cardgen(*attack, "--gap")
    assert cardgen(*attack, "--cover", "part") == cardgen(*attack)
    assert cardgen(*attack, "--gap") != cardgen(*attack)


def test_rulings_are_listed_and_can_be_turned_over(cardgen: Terminal) -> None:
    assert "  * once:" in cardgen("rulings")
    Path("cardgen.yaml").write_text("rulings: {clamp-order: before}\n", encoding="utf-8")
    assert "  * before:" in cardgen("rulings")
    assert "(default)" in cardgen("rulings")
    assert "clamp-order=before" in cardgen("attack", "Brute", "Sentinel", "--odds")
    assert "rounds" in cardgen("rulings", "--game", "warcry")  # whose rulings the project does not set


def test_asking_for_real_dice(cardgen: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["7", "six", "1", "0", "6"])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(typed))
    told = cardgen("attack", "Sentinel", "Rifle", "Brute", "--ask", "-o", "real.jsonl")
    assert "not 7" in told
    assert "rolled 6: failure" in told
    assert "Brute: eliminated (had 1)" in told
    assert "VALID: 2 answers" in cardgen("verify", "real.jsonl")
    rows = [json.loads(line) for line in Path("real.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows[0]["seed"] is None
    assert [row["answer"] for row in rows if "at" in row] == [1, 6]


# Situations that the rules forbid, and unreadable files, are findings; the others are mistakes on the command line.
ILLEGAL = (
    *(
        "did you mean 'Rifle'?",
        "reaches 15 cm",
        "even after a Move",
        "Brute is eliminated",
        "has Wounds 1, not 3",
        "never react",
    ),
    *("wholly hidden", "only Characters carry a relic", "cannot be read"),
)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("attack", "Sentinal", "Brute"), "did you mean 'Sentinel'?"),
        (("attack", "Sentinel", "Riffle", "Brute"), "did you mean 'Rifle'?"),
        (("attack", "Sentinel", "Rifle", "Brute", "--distance", "16"), "reaches 15 cm"),
        (("attack", "Sentinel", "Dagger", "Brute", "--distance", "12"), "even after a Move"),
        (("attack", "Sentinel", "Rifle", "Brute", "--target-wounds", "0"), "Brute is eliminated"),
        (("attack", "Sentinel", "Rifle", "Brute", "--wounds", "3"), "has Wounds 1, not 3"),
        (("attack", "Sentinel", "Brute", "--reaction", "Sword"), "never react"),
        (("attack", "Sentinel", "Brute", "--cover", "hidden"), "wholly hidden"),
        (("attack", "Sentinel", "Brute", "--relic", "Iron Halo"), "only Characters carry a relic"),
        (("balance", "--with", "Iron Hallo"), "did you mean 'Iron Halo'?"),
        (("balance", "--kind", "minion", "--with", "Iron Halo"), "can carry"),
        (("attack", "Sentinel", "Brute", "--relic", "Iron Hallo"), "did you mean 'Iron Halo'?"),
        (("attack", "Sentinel", "Brute", "--ruling", "clamp"), "write NAME=SETTING"),
        (("attack", "Sentinel", "Brute", "--ruling", "clamp-ordr=once"), "did you mean 'clamp-order'?"),
        (("attack", "Sentinel", "Brute", "--policy", "relics=now"), "unknown 'relics' setting"),
        (("attack", "Sentinel", "Brute", "--policy", "relic=never"), "unknown policy 'relic'"),
        (
            ("attack", "Sentinel", "Brute", "--ruling", "relics=never"),
            "'relics' is a policy: write --policy relics=SETTING, with prompt or never as its setting",
        ),
        (("attack", "Sentinel", "Brute", "--policy", "tie=again"), "unknown policy 'tie'"),
        (
            ("attack", "Sentinel", "Brute", "--policy", "clamp-order=once"),
            "'clamp-order' is a ruling: write --ruling clamp-order=SETTING",
        ),
        (("attack", "Sentinel", "Brute", "--seed", "x" * 300), "at most"),
        (("attack", "Sentinel", "Brute", "--plot", "x.gif"), "FILE.svg"),
        (("attack", "Iron Halo", "Brute"), "unknown character or minion"),
        (("attack", "S" * 100_000, "Brute"), "unknown character or minion"),
        (("duel", "Sentinel", "Nobody At All"), "unknown character or minion"),
        (("roll", "999999999d6"), "dice, not 999999999"),
        (("roll", "2d6", "--times", "0"), "between 1 and 10000"),
        (("roll", "2d6", "--times", "1e400"), "'1e400' is not a valid whole number"),
        (("duel", "Sentinel", "Brute", "--turns", "many"), "'many' is not a valid whole number"),
        (("verify", "nothing.jsonl"), "cannot be read"),
        (("verify", "."), "cannot be read"),
        (("balance", "--kind", "relic"), "do not fight"),
        (("balance", "--teams", "nan"), "'nan' is not a valid number"),
        (("balance", "--teams", "inf"), "not in the range 1<=x<=1000000"),
        (("balance", "--team-size", "3", "--team-battles", "999999999999"), "not in the range 2<=x<=100000"),
        (("battle", "The Ashen Oath", "The Drowned Cort"), "did you mean 'The Drowned Court'?"),
        (("battle", "--resume", "nothing.jsonl"), "cannot be read"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_bad_input_is_answered_at_once(arguments: tuple[str, ...], words: str, cardgen: Terminal) -> None:
    started = time.process_time()
    told = cardgen(*arguments, code=1 if words in ILLEGAL else 2)
    assert time.process_time() - started < 10
    assert words in told
    assert "Traceback" not in told
    assert not list(Path().rglob("*.jsonl"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("attack", "A"),
        ("duel", "A"),
        ("attack", "A", "B", "C", "D"),
        ("battle",),
        ("attack", "A", "B", "--distance", "99"),
        ("duel", "A", "B", "--turns", "x"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], cardgen: Terminal) -> None:
    assert "Usage" in cardgen(*arguments, code=2)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"answer":', '"answer":9', "invalid answer"),
        ('"need":2', '"need":5', "'need' must be 2, not 5"),
        ('"name":"Sentinel"', '"name":"Nobody"', "must be"),
        ('"mind":2', '"mind":9', "is not valid: stats"),
        ('"rulings":{', '"rulings":{"odd":"x",', "different rulings"),
        ('"trial":"attack"', '"trial":"party"', "unknown trial 'party'"),
        ('"situation":{', '"situation":{"more":1,', "unknown option 'more'"),
        ('"stats":{', '"stats":{"odd":1,', "is not valid: stats"),
        ('"game":"warniris"', '"game":"chess"', "unknown game"),
        ('"kind":"minion"', '"kind":"relic"', "the relic 'Sentinel' is not valid"),
    ],
)
def test_edited_transcripts(old: str, new: str, words: str, cardgen: Terminal) -> None:
    cardgen("attack", "Sentinel", "Rifle", "Brute", "--seed", "1", "-o", "t.jsonl")
    text = Path("t.jsonl").read_text(encoding="utf-8")
    assert old in text
    Path("t.jsonl").write_text(text.replace(old, new, 1), encoding="utf-8")
    assert words in cardgen("verify", "t.jsonl", code=1)


def test_a_transcript_of_bytes(cardgen: Terminal) -> None:
    Path("b.jsonl").write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in cardgen("verify", "b.jsonl", code=1)


def test_a_required_number_is_an_argument(cardgen: Terminal) -> None:
    assert "13/18" in cardgen("trial", "--game", "skirmish", "rout", "8", "--odds")
    assert "18 is not in the range 0<=x<=10" in cardgen("trial", "--game", "skirmish", "rout", "18", code=2)
