"""The match tracker: saved after every step, taken up after a crash, undone, and proved."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import click
import pytest

from cardgen.cli import run
from tests.rulesets.warniris.referee.fights import samples

SAVE = Path("battle.jsonl")
BEGIN = ("battle", "The Ashen Oath", "The Drowned Court", "--missions", "--turns", "2", "--seed", "b")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Crash(BaseException):
    """What no program catches."""


class Typist:
    """Types random answers, most of them possible; stops (or crashes) after so many."""

    def __init__(self, seed: int, stop: int = 10**9, end: type[BaseException] = click.Abort, undo: float = 0.0) -> None:
        self.dice, self.stop, self.end, self.undo = random.Random(seed), stop, end, undo
        self.count = 0

    def __call__(self, *_: Any, **__: Any) -> str:
        self.count += 1
        if self.count > self.stop:
            raise self.end
        if self.dice.random() < self.undo:
            return self.dice.choice(["undo", "help", "99", "", "nonsense"])
        return str(self.dice.choice([1, 1, 2, 2, 3, 4, 0, 5]))


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(typist: Typist) -> Typist:
        monkeypatch.setattr("click.prompt", typist)
        return typist

    return put


def verified(capsys: pytest.CaptureFixture[str], path: Path = SAVE) -> str:
    capsys.readouterr()
    assert run(("verify", str(path))) == 0
    told = capsys.readouterr().out
    assert told.startswith("VALID")
    return told


def test_a_battle_is_played_to_its_end_with_undo(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(1, undo=0.1))
    assert run(BEGIN) == 0
    told = capsys.readouterr().out
    assert "undone" in told
    assert "VP" in told
    assert '"undo"' in SAVE.read_text(encoding="utf-8")
    assert "not finished" not in verified(capsys)
    assert run(("battle", "--resume", str(SAVE))) == 1
    assert "this battle is over" in capsys.readouterr().err


def test_a_crash_at_any_moment_loses_nothing(
    types: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same answers and hands, with a crash after every few of them, play the same battle."""
    monkeypatch.setattr("cardgen.matches.session.new_secret", lambda: "5" * 64)
    typist = types(Typist(2, undo=0.05))
    assert run((*BEGIN, "--save", "whole.jsonl")) == 0
    typist = types(Typist(2, stop=7, end=Crash, undo=0.05))
    arguments: tuple[str, ...] = (*BEGIN, "--save", "crashed.jsonl")
    crashes = 0
    while True:
        try:
            assert run(arguments) == 0
            break
        except Crash:
            crashes += 1
            typist.stop = typist.count - 1 + 37
            typist.count -= 1
        arguments = ("battle", "--resume", "crashed.jsonl")
    assert crashes > 3
    assert Path("crashed.jsonl").read_text(encoding="utf-8") == Path("whole.jsonl").read_text(encoding="utf-8")
    assert "not finished" not in verified(capsys, Path("crashed.jsonl"))


@pytest.mark.parametrize("lost", [1, 5, 40])
def test_a_line_that_was_cut_off_is_left_out(lost: int, types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(3, stop=60))
    assert run(BEGIN) == 130
    SAVE.write_bytes(SAVE.read_bytes()[:-lost])
    types(Typist(4))
    assert run(("battle", "--resume", str(SAVE))) == 0
    assert "incomplete" in capsys.readouterr().out
    assert "not finished" not in verified(capsys)


def test_quit_and_resume(types: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.prompt", lambda *_, **__: "quit")
    assert run(BEGIN) == 0
    assert "--resume battle.jsonl" in capsys.readouterr().out
    assert "not finished" in verified(capsys)
    before = SAVE.read_bytes()
    assert run(("battle", "--resume", str(SAVE))) == 0
    assert SAVE.read_bytes() == before


def test_no_save_is_overwritten_or_spoilt(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(5, stop=40))
    assert run(BEGIN) == 130
    before = SAVE.read_bytes()
    assert run(BEGIN) == 1
    assert "not overwritten" in capsys.readouterr().err
    for old, new in (
        (b'"transcript":1', b'"transcript":9'),
        (b'"turns":2', b'"turns":"x"'),
        (b'"answer":', b'"answer":8'),
    ):
        spoilt = before.replace(old, new, 1)
        Path("spoilt.jsonl").write_bytes(spoilt)
        assert run(("battle", "--resume", "spoilt.jsonl")) == 1
        error = capsys.readouterr().err
        assert "error" in error
        assert "Traceback" not in error
        assert Path("spoilt.jsonl").read_bytes() == spoilt
    assert run(("battle", "--resume", str(SAVE), "A")) == 2
    assert SAVE.read_bytes() == before


def test_a_match_of_another_version_is_refused(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(5, stop=40))
    assert run(BEGIN) == 130
    header, rest = SAVE.read_text(encoding="utf-8").split("\n", 1)
    assert ',"version":2,"commitment":' in header
    for version in ("", ',"version":9', ',"version":"x"'):
        SAVE.write_text(header.replace(',"version":2', version) + "\n" + rest, encoding="utf-8")
        before = SAVE.read_bytes()
        for command in (("battle", "--resume", str(SAVE)), ("verify", str(SAVE))):
            capsys.readouterr()
            assert run(command) == 1
            error = capsys.readouterr().err
            assert ("must be a number" if "x" in version else "written by another version of cardgen") in error
        assert SAVE.read_bytes() == before


def test_real_dice_are_asked_for(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(6, undo=0.05))
    assert run(("battle", "The Ashen Oath", "The Drowned Court", "--turns", "1", "--ask")) == 0
    assert "the die shows" not in capsys.readouterr().err
    assert '"seed":null' in SAVE.read_text(encoding="utf-8")
    assert "not finished" not in verified(capsys)


def test_a_last_stand_is_played(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(7, stop=150))
    assert run(("battle", "The Ashen Oath", "The Grey Levy", "--seed", "l")) in (0, 130)
    assert "deploy in the central circle" in capsys.readouterr().out
    verified(capsys)


def test_a_hand_is_shown_to_its_side_alone(
    types: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["1", "secrets", "9", "secrets", "2", "", "quit"])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(typed))
    assert run(BEGIN) == 0
    told = capsys.readouterr().out
    hand = [line.strip() for line in told.split("\n" * 60)[0].splitlines() if " VP: " in line]
    numbers = {card["name"]: card["number"] for card in samples("mission")}
    assert len(hand) == 3
    assert told.count(" VP: ") == 3
    played = SAVE.read_text(encoding="utf-8").split("\n", 1)[1]
    labels = [tuple(line.split(": ")[0].split(", ")[:2]) for line in hand]
    assert [number for number, _ in labels] == [f"Mission {numbers[name]}" for _, name in labels]
    assert labels == sorted(labels, key=lambda each: numbers[each[1]])
    assert not any(name in played for _, name in labels)
    assert "VALID" in verified(capsys)


def test_without_missions_there_are_no_secrets(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["secrets", "help", "quit"])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(typed))
    assert run(("battle", "The Ashen Oath", "The Drowned Court")) == 0
    told = capsys.readouterr().out
    assert "no side has secrets" in told
    assert "or: undo (the last answer), quit (the battle is saved), help" in told


WARCRY = ("battle", "The Last Lanterns", "The Ember Choir", "--game", "warcry", "--battleplan", "Lightning Raid")


def test_the_options_are_those_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("battle", "--help")) == 0
    told = capsys.readouterr().out
    assert "--missions" in told
    assert "--battleplan" not in told
    assert run(("battle", "--game", "warcry", "--help")) == 0
    told = capsys.readouterr().out
    assert "--battleplan" in told
    assert "--rounds" in told
    assert "--missions" not in told
    assert "--abilities" not in told


def test_a_battle_needs_a_battleplan(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(WARCRY[:-2]) == 1
    assert "'battleplan' is missing" in capsys.readouterr().err
    assert not SAVE.exists()


def test_a_battle_of_warcry_is_crashed_resumed_undone_and_verified(
    types: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    types(Typist(5, stop=60, end=Crash, undo=0.05))
    with pytest.raises(Crash):
        run((*WARCRY, "--seed", "w", "--rounds", "2"))
    assert "not finished" in verified(capsys)
    types(Typist(6, undo=0.1))
    assert run(("battle", "--resume", str(SAVE))) == 0
    told = capsys.readouterr().out
    assert "after 2 battle rounds" in told
    assert "undone" in told
    assert "not finished" not in verified(capsys)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"sides":6,"answer":1}', '"sides":6,"answer":6}', "the die shows 1 with this seed, not 6"),
        (" scores 2 VP: ", " scores 9 VP: ", "'told' must be"),
        ("end the activation", "attack everybody", "'options' must be"),
        ('"rounds":2,', '"rounds":1,', "must be"),
    ],
)
def test_a_tampered_battle_of_warcry_is_refused(
    before: str, after: str, message: str, types: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    types(Typist(7))
    assert run((*WARCRY, "--seed", "w", "--rounds", "2")) == 0
    text = SAVE.read_text(encoding="utf-8")
    assert before in text
    SAVE.write_text(text.replace(before, after, 1), encoding="utf-8")
    capsys.readouterr()
    assert run(("verify", str(SAVE))) == 1
    assert message in capsys.readouterr().err


def test_a_project_has_the_abilities_of_the_kit_too(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Cards of one's own take precedence; the transcript holds only abilities that somebody can use."""
    Path("cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    Path("rush.yaml").write_text(
        "kind: ability\nname: Rush\nprice: triple\nchanges: [{move: +3, for: activation}]\n", encoding="utf-8"
    )
    Path("mount.yaml").write_text(
        "kind: ability\nname: Gallop\nprice: double\nrunemarks: [seraphon]\ntext: Gallop.\n", encoding="utf-8"
    )
    types(Typist(8, stop=9))
    assert run((*WARCRY, "--seed", "w")) == 130
    first = json.loads(SAVE.read_text(encoding="utf-8").splitlines()[0])
    abilities = {each["name"]: each for each in first["situation"]["abilities"]}
    assert abilities["Rush"]["price"] == "triple"
    assert {"Counter", "Onslaught", "Lamp Oil"} <= abilities.keys()
    assert "Gallop" not in abilities


@pytest.mark.parametrize(
    "change",
    [
        lambda situation: situation["abilities"].append({"kind": "fighter", "name": "Rush"}),
        lambda situation: situation["abilities"].append({"kind": "ability", "name": 5}),
        lambda situation: situation["a"].pop("members"),
        lambda situation: situation["a"].update(members=[{"fighter": {"kind": "fighter"}}]),
        lambda situation: situation["battleplan"].pop("primary"),
        lambda situation: situation.pop("battleplan"),
    ],
)
def test_a_malformed_situation_is_refused(change: Any, types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(9, stop=5))
    assert run((*WARCRY, "--seed", "w")) == 130
    first, *others = SAVE.read_text(encoding="utf-8").splitlines(keepends=True)
    header = json.loads(first)
    change(header["situation"])
    SAVE.write_text(json.dumps(header) + "\n" + "".join(others), encoding="utf-8")
    for command in (("verify", str(SAVE)), ("battle", "--resume", str(SAVE))):
        capsys.readouterr()
        assert run(command) == 1
        assert "error[" in capsys.readouterr().err


def test_a_battle_of_warcry_with_real_dice(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types(Typist(10))
    assert run((*WARCRY, "--ask", "--rounds", "1")) == 0
    assert "after 1 battle rounds" not in capsys.readouterr().out
    assert "not finished" not in verified(capsys)
