"""Transcripts of strangers: whatever they hold ends in a message, and soon."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Program
from tests.hostile.transcripts import CARDS, SIDES, attack, give_up, judge, places, unfinished_battle, with_value
from tests.projects import Folder
from tests.random_cases import MORE

VALUES: tuple[Any, ...] = (
    None,
    [],
    {},
    [[]],
    {"a": {}},
    "",
    "\ud800",
    "x" * 5000,
    -1,
    10**300,
    1.5,
    True,
    float("nan"),
)
COMMANDS = (("verify", "forged.jsonl"), ("verify", "forged.jsonl", "--ruling", "elimination=vp"),
            ("battle", "--resume", "forged.jsonl"))  # fmt: skip


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture(autouse=True)
def _no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.prompt", give_up)


def lines(transcript: str) -> list[Any]:
    return [json.loads(line) for line in transcript.splitlines()]


def dump(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def share(value: Any, found: Iterable[Any]) -> list[Any]:
    """Return the places where a value is put: with `make fuzz` all, otherwise a third, another one for each value."""
    return [*found] if MORE in os.environ else [*found][VALUES.index(value) % 3 :: 3]


@pytest.mark.fuzz
@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:20])
def test_any_value_of_the_first_line_may_be_forged(folder: Folder, value: Any) -> None:
    head, *rows = lines(attack())
    for path in share(value, places(head)):
        judge(dump([with_value(head, path, value), *rows]))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:20])
def test_any_value_of_a_line_may_be_forged(folder: Folder, value: Any) -> None:
    rows = lines(attack())
    for number, row in enumerate(rows[1:], 1):
        for path in places(row):
            judge(dump([*rows[:number], with_value(row, path, value), *rows[number + 1 :]]))


@pytest.mark.fuzz
@pytest.mark.parametrize("game", SIDES)
@pytest.mark.parametrize("value", VALUES[:6], ids=lambda value: repr(value)[:20])
def test_any_value_of_a_battle_may_be_forged(folder: Folder, game: str, value: Any) -> None:
    head, *rows = lines(unfinished_battle(game))
    for path in share(value, [*places(head)][::29]):
        judge(dump([with_value(head, path, value), *rows]))


@pytest.mark.parametrize(
    ("game", "path", "value", "message"),
    [
        ("skirmish", "a.members.0.qty", 10_000_000, "is not valid: members"),
        ("skirmish", "b.members.0.card.w", {"kind": "warband"}, "is not valid: w"),
        ("skirmish", "a.members.1.card.ld", "", "is not valid: ld"),
        ("warcry", "a.members.0.qty", 10_000_000, "is not valid: members"),
        ("warcry", "a.members.0.fighter.stats.W", "9", "is not valid: stats"),
        ("warcry", "a.members.0.fighter.stats.W", 10.0, "is not"),
        ("diskwars", "a.regiments.0.units.0.copies", 10_000_000, "is not valid: regiments"),
        ("diskwars", "a.regiments.0.hero.attack", None, "is not valid: attack"),
        ("diskwars", "a.regiments.0.units.0.unit", "Rust", "malformed card"),
    ],
    ids=str,
)
def test_cards_of_a_forged_battle_must_be_cards(
    folder: Folder, cardgen: Program, game: str, path: str, value: Any, message: str
) -> None:
    head, *rows = lines(unfinished_battle(game))
    steps = ("situation", *(int(step) if step.isdigit() else step for step in path.split(".")))
    folder.write("forged.jsonl", dump([with_value(head, steps, value), *rows]))
    for command in (("verify", "forged.jsonl"), ("battle", "--resume", "forged.jsonl")):
        outcome = cardgen(*command)
        assert outcome.code == 1
        assert message in outcome.err, outcome.err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"policy": {"x": []}}, "'policy' must have text as values"),
        ({"policy": []}, "'policy' must be a map, not a list"),
        ({"rulings": {"elimination": None}}, "'rulings' must have text as values"),
        ({"rulings": None}, "'rulings' must be a map, not null"),
        ({"seed": "\ud800"}, r"forged\.jsonl:1:1: .*half of a character"),
        ({"seed": "x" * 1000}, "'seed' must be at most 200 characters long, not 1000"),
        ({"game": "\x1b[2J"}, "unknown game"),
    ],
    ids=lambda value: str(value)[:30],
)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_forged_first_lines(
    folder: Folder, cardgen: Program, change: dict[str, Any], message: str, command: tuple[str, ...]
) -> None:
    head, *rows = lines(attack())
    folder.write("forged.jsonl", dump([{**head, **change}, *rows]))
    outcome = cardgen(*command)
    assert outcome.code == 1
    assert "\x1b" not in outcome.err

    assert re.search(message, outcome.err), outcome.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[" * 40 + b"]" * 40, "not valid JSON: nested more than 32 levels deep"),
        (b'{"told":' + b"[" * 40 + b"]" * 40 + b"}", "not valid JSON: nested more than 32 levels deep"),
        (b'{"told":"\\udc80"}', "half of a character"),
        (b'{"told":NaN}', "NaN is not a number"),
        (b'{"at":"x","answer":-Infinity}', "-Infinity is not a number"),
        (b'{"at":[]}', "'at' must be text"),
        (b'{"at":"x","at":"y"}', "key 'at' occurs twice"),
        (b'{"told":1}', "'told' must be text"),
        (b'{"answer":' + b"9" * 5000 + b"}", "is not valid JSON"),
        (b"null", "line is not a JSON object"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_forged_lines(folder: Folder, cardgen: Program, line: bytes, message: str) -> None:
    rows = attack().encode().splitlines(keepends=True)
    folder.write("forged.jsonl", b"".join([*rows[:2], line + b"\n", *rows[2:]]))
    outcome = cardgen("verify", "forged.jsonl")
    assert outcome.code == 1
    assert message in outcome.err
    assert "forged.jsonl:3:1" in outcome.err


def test_undo_is_linear(folder: Folder, cardgen: Program) -> None:
    rows = attack().splitlines(keepends=True)
    answered = next(row for row in rows if '"at"' in row)
    many = [*rows[:1], '{"told":"x"}\n' * 20_000, *[answered, '{"undo":1}\n'] * 20_000]
    deep = [*rows[:1], *[answered] * 20_000, *['{"undo":1}\n'] * 20_000]
    for text in (many, deep):
        folder.write("forged.jsonl", "".join([*text, *rows[1:]]))
        started = time.process_time()
        assert cardgen("verify", "forged.jsonl").code in (0, 1)
        assert time.process_time() - started < 20


def test_a_transcript_is_limited(folder: Folder, cardgen: Program) -> None:
    first = attack().splitlines(keepends=True)[0]
    folder.write("forged.jsonl", first + "{}\n" * 300_000)
    assert "more than 200,000 lines" in cardgen("verify", "forged.jsonl").err
    folder.write("forged.jsonl", first + "x" * 17_000_000)
    assert "the file is larger than 16 MiB" in cardgen("verify", "forged.jsonl").err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/full", "/dev/null", "fifo", "folder"])
def test_what_is_no_file_is_not_read(folder: Folder, cardgen: Program, command: tuple[str, ...], target: str) -> None:
    if target.startswith("/"):
        Path("forged.jsonl").symlink_to(target)
    else:
        os.mkfifo("forged.jsonl") if target == "fifo" else Path("forged.jsonl").mkdir()
    outcome = cardgen(*command)
    assert outcome.code in (1, 2)
    assert any(reason in outcome.err for reason in ("not a regular file", "directory", "points outside the project"))


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
@pytest.mark.parametrize("linked", ["forged.jsonl", "saves"])
@pytest.mark.parametrize("command", [("verify",), ("verify", "--ruling", "elimination=vp"), ("battle", "--resume")])
def test_a_save_stays_in_the_project(folder: Folder, cardgen: Program, command: tuple[str, ...], linked: str) -> None:
    outside = folder.root.parent / "elsewhere"
    outside.mkdir()
    save, torn = outside / "forged.jsonl", unfinished_battle("warniris") + '{"torn'
    save.write_text(torn, encoding="utf-8")
    Path(linked).symlink_to(save if linked == save.name else outside)
    outcome = cardgen(*command, linked if linked == save.name else f"{linked}/{save.name}")
    assert outcome.code == 1
    assert "error[CG023]: the link points outside the project" in outcome.err
    assert save.read_text(encoding="utf-8") == torn


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_a_new_save_stays_in_the_project(folder: Folder, cardgen: Program) -> None:
    outside = folder.root.parent / "elsewhere"
    outside.mkdir()
    Path("saves").symlink_to(outside)
    one, other = SIDES["warniris"]
    outcome = cardgen("battle", one, other, "--cards", str(CARDS / "warniris"), "--save", "saves/a.jsonl")
    assert outcome.code == 1
    assert "error[CG023]: the link points outside the project" in outcome.err
    assert not list(outside.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_secret_file_that_is_none_is_not_read(folder: Folder, cardgen: Program) -> None:
    head, *rows = lines(unfinished_battle("warniris"))
    folder.write("forged.jsonl", dump([{**head, "commitment": "0" * 64}, *rows]))
    os.mkfifo("forged.jsonl.secret")
    outcome = cardgen("battle", "--resume", "forged.jsonl")
    assert outcome.code == 1
    assert (
        "forged.jsonl.secret: error[CG806]: file with the secret of this battle is missing or cannot be read"
        in outcome.err
    )
