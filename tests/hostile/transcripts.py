"""Transcripts of all games, and forged ones: a value, line, or letter is replaced with another."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click

from cardgen.diagnostic import CardgenError, format_diagnostic
from cardgen.matches import match, session
from cardgen.matches import match as match_tracker
from cardgen.matches.session import TrialRequest, prepare_trial

CARDS = Path(__file__).parents[2] / "cards"
FIGHT = {"attacker": "Halvane Doru", "weapon": "Pommel", "target": "Old Gravel"}
SIDES = {
    "warniris": ("The Ashen Oath", "The Drowned Court"),
    "warcry": ("The Ember Choir", "The Last Lanterns"),
    "skirmish": ("The Ferry Watch", "The Mire Court"),
    "diskwars": ("The Dyke Watch", "The Rust Choir"),
}
_OPTIONS: dict[str, dict[str, Any]] = {
    "warniris": {"turns": 2},
    "warcry": {"battleplan": "Endless Struggle"},
    "skirmish": {"turns": 2},
    "diskwars": {"rounds": 1, "deployed": True},
}


@cache
def attack() -> str:
    """Return the transcript of an attack."""
    return session.roll(prepare_trial(_request("attack", "warniris", **FIGHT)), "a").transcript


def unfinished_battle(game: str, answers: int = 60) -> str:
    """Return the save file of a battle that random answers began."""
    return saved_battle(game, answers)[0]


@cache
def saved_battle(game: str, answers: int) -> tuple[str, str]:
    """Return the save file of a battle that random answers began, and its secret file; '' if it has no secrets."""
    one, other = SIDES[game]
    save = Path(f"{game}.jsonl")
    begun = match.begin(_request("battle", game, a=one, b=other, **_OPTIONS[game]), save, "b", players_roll=False)
    dice, left = random.Random(1), iter(range(answers))

    def prompt(_: str) -> str:
        return "quit" if next(left, None) is None else str(dice.choice([1, 1, 2, 3, 0, "undo"]))

    match_tracker.track(begun, prompt, lambda _: None, lambda _: None)
    text, secret = save.read_text(encoding="utf-8"), Path(f"{save}.secret")
    kept = secret.read_text(encoding="utf-8") if secret.exists() else ""
    for path in Path.cwd().glob(f"{save}*"):
        path.unlink()
    return text, kept


def screens(game: str, answers: int, seed: int) -> list[str]:
    """Return all lines that the tracker shows in a battle that random answers play."""
    one, other = SIDES[game]
    save = Path("battle.jsonl")
    begun = match.begin(_request("battle", game, a=one, b=other, **_OPTIONS[game]), save, str(seed), players_roll=False)
    dice, left, shown = random.Random(seed), iter(range(answers)), list[str]()

    def prompt(text: str) -> str:
        shown.append(text)
        return "quit" if next(left, None) is None else str(dice.choice([1, 1, 1, 2, 3, 4, 8, 0]))

    match_tracker.track(begun, prompt, shown.append, shown.append)
    return shown


def _request(trial: str, game: str, **values: Any) -> TrialRequest:
    return TrialRequest(trial, values, paths=(CARDS / game,), game=game)


def give_up(*_: object, **__: object) -> str:
    raise click.Abort


def judge(content: bytes) -> list[str]:
    """Verify, replay, and resume a transcript; return the messages. Anything but a CardgenError is a defect."""
    path = Path("forged.jsonl")
    path.write_bytes(content)
    messages: list[str] = []
    for attempt in (_verify, _replay, _resume):
        try:
            attempt(path)
        except CardgenError as error:
            messages += map(format_diagnostic, error.diagnostics)
        except click.Abort:
            pass
    assert all(message.encode() for message in messages)
    return messages


def _verify(path: Path) -> None:
    session.verify_transcript(path)


def _replay(path: Path) -> None:
    assert all(line.encode() for line in session.replay(path, ()).lines)


def _resume(path: Path) -> None:
    def tell(line: str) -> None:
        line.encode()

    match_tracker.track(match.resume(path, tell), give_up, tell, tell)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value within JSON data."""
    yield path
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        yield from places(each, (*path, key))


def with_value(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of JSON data in which the value at a path is another."""
    copy = json.loads(json.dumps(data))
    if not path:
        return value
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return copy
