"""Secret hands: neither the screen nor the save tells them before the end, and then anyone can check them."""

from __future__ import annotations

import json
import os
import stat
from hashlib import sha256
from pathlib import Path

import click
import pytest

from cardgen.cli import run
from cardgen.referee.play import seeded_face
from tests.cli.test_battle import SAVE, Typist, verified
from tests.rulesets.warniris.referee.fights import samples

SECRET = Path("battle.jsonl.secret")
MATCHES = range(10)
NAMES = [card["name"] for card in samples("mission")]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def begin(seed: object) -> tuple[str, ...]:
    return ("battle", "The Ashen Oath", "The Drowned Court", "--missions", "--turns", "2", "--seed", str(seed))


def secret(number: int, hands: str) -> str:
    return sha256(f"{number} {hands}".encode()).hexdigest()


class Match:
    """What is seen of a match, and its hands."""

    def __init__(self, screen: str, save: str) -> None:
        self.screen, self.save = screen.splitlines(), save.splitlines()
        shown = [line.strip() for line in self.screen if " held Mission " in line]
        self.hands = [{part.split(", ")[1] for part in line.split(" held ")[1].split("; ")} for line in shown]

    def lines_before_the_end(self) -> list[str]:
        """What anybody sees before the hands are shown."""
        lines = [*self.screen, *self.save]
        return [line for line in lines if " held Mission " not in line and '"outcome"' not in line]

    def scored(self) -> set[str]:
        return {name for line in self.save for name in NAMES if f" scores {name}: " in line}


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str], Match]:
    """Ten seeded matches, each with two deals, and the same answers."""
    out: dict[tuple[int, str], Match] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("matches"))
        for number in MATCHES:
            for hands in ("one", "two"):
                screen: list[str] = []
                patch.setattr("click.echo", lambda line="", screen=screen, **_: screen.append(str(line)))
                patch.setattr("cardgen.matches.session.new_secret", lambda n=number, h=hands: secret(n, h))
                patch.setattr("click.prompt", Typist(number, undo=0.02))
                path = Path(f"{number}-{hands}.jsonl")
                assert run((*begin(number), "--save", str(path))) == 0
                out[number, hands] = Match("\n".join(screen), path.read_text(encoding="utf-8"))
    return out


def redealt(deck: list[str], source: str) -> list[set[str]]:
    """The hands that somebody would deal who takes a text for the source of the hidden dice."""
    left, hands = list(deck), []
    for side in (1, 2):
        places = [(f"set-up/mission {side}.{count}", len(left) - count + 1) for count in (1, 2, 3)]
        hands.append({left.pop(seeded_face(source, path, sides) - 1) for path, sides in places})
    return hands


def guesses(match: Match, number: int) -> list[list[set[str]]]:
    """What somebody may guess who knows the program, the screen, and the save."""
    lines = match.lines_before_the_end()
    header = json.loads(match.save[0])
    deck = [card["name"] for card in header["situation"]["missions"]]
    named = [name for name in deck if any(name in line for line in lines[1:] if '"transcript"' not in line)]
    sources = [header["seed"], header["commitment"], str(number), sha256(header["seed"].encode()).hexdigest(), ""]
    return [*(redealt(deck, source) for source in sources), [set(named[:3]), set(named[3:6])]]


@pytest.mark.share(2)
def test_no_hand_can_be_reconstructed(matches: dict[tuple[int, str], Match]) -> None:
    """By chance, 9/16 of a card of each hand is right: 22.5 cards of 40 hands, and hardly ever 40."""
    count = len(guesses(matches[0, "one"], 0))
    right = [0] * count
    for (number, _), match in matches.items():
        assert [len(hand) for hand in match.hands] == [3, 3]
        for at, guess in enumerate(guesses(match, number)):
            right[at] += sum(len((mine & hand) - match.scored()) for mine, hand in zip(guess, match.hands, strict=True))
    assert max(right) < 40, right
    assert sum(len(hand) for match in matches.values() for hand in match.hands) == 120


def public(lines: list[str]) -> list[str]:
    return [line for line in lines if "commitment" not in line]


def test_the_secret_tells_the_hands(matches: dict[tuple[int, str], Match]) -> None:
    """The same guess with the right source: what the other tests try would work."""
    for (number, hands), match in matches.items():
        deck = [card["name"] for card in json.loads(match.save[0])["situation"]["missions"]]
        assert redealt(deck, secret(number, hands)) == match.hands


def test_other_hands_look_the_same_until_a_mission_scores(matches: dict[tuple[int, str], Match]) -> None:
    """The same players and dice: whatever the hands, every line is the same, until one scores or all are shown."""
    compared = 0
    for number in MATCHES:
        one, two = matches[number, "one"], matches[number, "two"]
        assert one.hands != two.hands
        for mine, theirs in ((one.screen, two.screen), (one.save, two.save)):
            for line, other in zip(public(mine), public(theirs), strict=False):
                if line != other:
                    assert any(word in each for each in (line, other) for word in (" scores ", " held Mission "))
                    break
                compared += 1
    assert compared > 1000


def test_the_only_mention_of_a_mission_is_its_score(matches: dict[tuple[int, str], Match]) -> None:
    for match in matches.values():
        for line in match.lines_before_the_end():
            if '"transcript"' not in line:
                named = [name for name in NAMES if name in line]
                assert not named or f" scores {named[0]}: " in line


def test_both_sides_are_asked_the_same(matches: dict[tuple[int, str], Match]) -> None:
    asked = [json.loads(line) for match in matches.values() for line in match.save if "/report" in line]
    assert asked
    assert {line["who"] for line in asked} == {"both players"}


def test_the_save_reveals_the_secret_at_its_end_only(matches: dict[tuple[int, str], Match]) -> None:
    for (number, hands), match in matches.items():
        *before, end = match.save
        assert json.loads(end)["secret"] == secret(number, hands)
        assert secret(number, hands) not in "".join(before)
        assert json.loads(before[0])["commitment"] == sha256(secret(number, hands).encode()).hexdigest()


def saved_match(monkeypatch: pytest.MonkeyPatch, *typed: str) -> None:
    answers = iter((*typed, "quit"))
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(answers))
    assert run(begin("s")) == 0


def test_the_secret_is_in_a_file_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    saved_match(monkeypatch)
    text = SECRET.read_text(encoding="ascii")
    assert len(text) == 65
    assert text.strip() not in SAVE.read_text(encoding="utf-8")
    if os.name == "posix":
        assert stat.S_IMODE(SECRET.stat().st_mode) == 0o600


def test_the_file_goes_when_the_save_reveals_the_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("click.prompt", Typist(1))
    assert run(begin("b")) == 0
    assert not SECRET.exists()
    assert "the secrets match their commitment" in verified(capsys)


def test_a_match_without_missions_has_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.prompt", lambda *_, **__: "quit")
    assert run(("battle", "The Ashen Oath", "The Drowned Court")) == 0
    assert not SECRET.exists()
    assert "commitment" not in SAVE.read_text(encoding="utf-8")


def test_dice_of_ones_own_do_not_deal_the_hands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("click.prompt", Typist(6))
    assert run((*begin("b")[:-2], "--ask")) == 0
    told = capsys.readouterr().out
    assert "draws a Mission" not in told
    assert told.count(" held Mission ") == 2
    assert "the secrets match their commitment" in verified(capsys)


@pytest.mark.parametrize("spoil", ["missing", "other", "nonsense", "binary"])
@pytest.mark.parametrize("command", [("battle", "--resume"), ("verify",)])
def test_without_its_secret_a_match_cannot_go_on(
    spoil: str, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved_match(monkeypatch, "1")
    before = SAVE.read_bytes()
    if spoil == "missing":
        SECRET.unlink()
    else:
        SECRET.write_bytes({"other": b"f" * 64, "nonsense": b"x", "binary": b"\xff"}[spoil])
    assert run((*command, str(SAVE))) == 1
    error = capsys.readouterr().err
    assert "battle.jsonl.secret: error" in error
    assert "Traceback" not in error
    assert SAVE.read_bytes() == before


def test_a_save_without_a_commitment_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was edited, or comes from a version that dealt hands with dice that everybody saw."""
    saved_match(monkeypatch, "1")
    header, *lines = SAVE.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = {key: value for key, value in json.loads(header).items() if key != "commitment"}
    SAVE.write_text(json.dumps(kept) + "\n" + "".join(lines), encoding="utf-8")
    for command in (("battle", "--resume"), ("verify",)):
        assert run((*command, str(SAVE))) == 1
        error = capsys.readouterr().err
        assert "battle.jsonl:1:1: error" in error
        assert "'commitment' is missing" in error


def test_hands_that_nobody_would_see_are_not_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("trial", *begin(1)[:-2], "--ask")) == 1
    assert "use 'cardgen battle'" in capsys.readouterr().err


def test_no_replay_shows_the_hands_before_the_end(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A ruling could end the battle sooner."""
    saved_match(monkeypatch, "1")
    assert run(("verify", str(SAVE), "--ruling", "elimination=vp")) == 1
    assert "replay it after its end" in capsys.readouterr().err
    monkeypatch.setattr("click.prompt", Typist(1))
    assert run(("battle", "--resume", str(SAVE))) == 0
    capsys.readouterr()
    assert run(("verify", str(SAVE), "--ruling", "elimination=vp")) == 0
    assert capsys.readouterr().out.count(" held Mission ") == 2


def test_no_secret_is_overwritten(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    SECRET.write_text("of another match\n", encoding="ascii")
    assert run(begin("s")) == 1
    assert "not overwritten" in capsys.readouterr().err
    assert SECRET.read_text(encoding="ascii") == "of another match\n"
    assert not SAVE.exists()


def hand_on_screen(told: str) -> list[str]:
    return [line.strip() for line in told.splitlines() if " VP: " in line]


def test_an_undo_does_not_deal_again(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    saved_match(monkeypatch, "1", "secrets", "1", "")
    first = hand_on_screen(capsys.readouterr().out)
    typed = iter(["undo", "2", "secrets", "1", "", "quit"])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(typed))
    assert run(("battle", "--resume", str(SAVE))) == 0
    told = capsys.readouterr().out
    assert "undone" in told
    assert hand_on_screen(told) == first
    assert len(first) == 3


def test_secrets_leave_no_trace_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are on the terminal's second screen, which is left even if the program is stopped there."""
    screen: list[str] = []
    typed = iter(["1", "secrets", "2"])
    monkeypatch.setattr("click.echo", lambda line="", **_: screen.append(str(line)))

    def prompt(*_: object, **__: object) -> str:
        word = next(typed, None)
        if word is None:
            raise click.Abort
        return word

    monkeypatch.setattr("click.prompt", prompt)
    assert run(begin("s")) == 130
    text = "\n".join(screen)
    first_screen = text.split("\x1b[?1049h")[0] + text.split("\x1b[?1049l")[1]
    assert " VP: " in text
    assert " VP: " not in first_screen
