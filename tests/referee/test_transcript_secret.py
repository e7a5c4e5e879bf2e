"""Hidden dice and sealed decisions: nobody sees them before their time, and then anyone can check them."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.referee.play import InvalidAnswerError, LogEntry, play, seeded_answers, seeded_face
from cardgen.referee.requests import Log, Procedure, Roll, SealedDecision
from cardgen.referee.transcript import (
    Header,
    MissingSecretError,
    VerificationResult,
    commitment,
    dump,
    is_secret,
    new_secret,
    parse_transcript,
    seal,
    transcript_text,
    unseal,
    verify,
    with_secrets,
)

SECRET = "0123456789abcdef" * 4


def game() -> Procedure[int]:
    hidden = yield Roll("card", "A", "draws", 20, is_hidden=True)
    yield Log("held {}", (hidden,))
    shown = yield Roll("die", "A", "rolls", 20)
    return int(hidden + shown)


def transcript(secret: str | None = SECRET, seal: str | None = commitment(SECRET)) -> str:
    told: list[LogEntry] = []
    outcome = play(game(), with_secrets(seeded_answers("seed"), SECRET), told.append)
    return transcript_text(Header("g", "t", {}, {}, {}, "seed", seal), told, outcome, secret)


def verdict(text: str, secret: str | None = None) -> VerificationResult:
    return verify(parse_transcript("file", text), game(), lambda outcome: outcome, secret)


def problem(text: str, secret: str | None = None) -> Any:
    with pytest.raises(CardgenError) as error:
        verdict(text, secret)
    return error.value.diagnostics[0]


def test_secrets_are_long_and_new_each_time() -> None:
    assert is_secret(new_secret())
    assert len({new_secret() for _ in range(100)}) == 100
    assert not any(map(is_secret, (None, 5, "", "0" * 63, "G" * 64, f"{SECRET}\n")))


def test_anyone_can_recompute_the_commitment() -> None:
    assert commitment(SECRET) == sha256(SECRET.encode("ascii")).hexdigest()


def test_a_hidden_die_comes_from_the_secret_and_is_not_recorded() -> None:
    rows = [json.loads(line) for line in transcript().splitlines()]
    assert [row.get("at") for row in rows] == [None, None, "die", None]
    assert rows[0]["commitment"] == commitment(SECRET)
    assert rows[1] == {"told": f"held {seeded_face(SECRET, 'card', 20)}"}
    assert rows[3]["secret"] == SECRET
    assert SECRET not in "".join(map(dump, rows[:-1]))


def test_without_a_secret_there_are_no_hidden_dice() -> None:
    with pytest.raises(MissingSecretError):
        play(game(), with_secrets(seeded_answers("seed"), None), list[LogEntry]().append)


def test_what_is_revealed_is_verified() -> None:
    result = verdict(transcript())
    assert result.is_finished
    assert result.has_secret
    assert result.dice == 1


def test_an_unfinished_transcript_is_verified_with_its_secret() -> None:
    text = "".join(transcript().splitlines(keepends=True)[:2])
    assert not verdict(text, SECRET).is_finished
    assert "'told' must be" in problem(text, "f" * 64).message


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (transcript(secret="f" * 64), 4, "does not match the commitment in line 1"),
        (transcript(secret="nonsense"), 4, "does not match the commitment in line 1"),
        (transcript(secret=None), 4, "'secret' is missing"),
        (transcript(seal="f" * 64), 4, "does not match the commitment in line 1"),
        (transcript(seal=None), 1, "'commitment' is missing"),
        (transcript(secret="f" * 64, seal=commitment("f" * 64)), 2, "'told' must be"),
        (transcript().replace(f'"commitment":"{commitment(SECRET)}"', '"commitment":5'), 1, "must be text or null"),
    ],
)
def test_another_secret_is_found(text: str, line: int, words: str) -> None:
    found = problem(text)
    assert words in found.message
    assert found.place.span.line == line


CARDS = ("Bold Rush", "Slow March", "Hold Fast")


def choice() -> Procedure[str]:
    card = yield SealedDecision("card", "A", "command card", CARDS)
    yield Log("chosen")
    return str(card)


def sealed_transcript(option: str = CARDS[1]) -> str:
    """A transcript of the choice; it has a new random number each time."""
    told: list[LogEntry] = []

    def answer(path: str, question: Any) -> str:
        return seal(SECRET, path, question, option)

    outcome = play(choice(), with_secrets(answer, SECRET), told.append)
    return transcript_text(Header("g", "t", {}, {}, {}, "seed", commitment(SECRET)), told, outcome, SECRET)


def sealed_verdict(text: str) -> VerificationResult:
    return verify(parse_transcript("file", text), choice(), lambda outcome: outcome, None)


@pytest.mark.parametrize("option", CARDS)
def test_a_sealed_decision_opens_to_its_option_alone(option: str) -> None:
    text = sealed_transcript(option)
    row = json.loads(text.splitlines()[1])
    assert {key: row[key] for key in row if key != "answer"} == {
        "at": "card", "seal": "command card", "who": "A", "count": 3
    }  # fmt: skip
    assert not any(card in text.rpartition('{"outcome"')[0] for card in CARDS)
    assert sealed_verdict(text).has_secret


def test_a_sealed_answer_tells_nothing() -> None:
    """Every masked place is about equally likely for every option, and answers to one question do not compare."""
    question = SealedDecision("card", "A", "command card", CARDS)
    for option in CARDS:
        sealed = [seal(SECRET, "card", question, option) for _ in range(2000)]
        assert len(set(sealed)) == len(sealed)
        places = [int(text[-2:], 16) for text in sealed]
        assert len(set(places)) > 250
        assert abs(sum(places) / len(places) - 127.5) < 10


def test_a_changed_sealed_answer_is_not_valid() -> None:
    text = sealed_transcript()
    answer = json.loads(text.splitlines()[1])["answer"]
    other = f"{answer[:-2]}{(int(answer[-2:], 16) + 1) % 256:02x}"
    for fake in (other, f"{answer[:-2]}{(int(answer[-2:], 16) + 9) % 256:02x}", "1", "x" * 18):
        with pytest.raises(CardgenError):
            sealed_verdict(text.replace(answer, fake))


def test_sealed_text_opens_only_to_options() -> None:
    question = SealedDecision("card", "A", "command card", CARDS)
    text = seal(SECRET, "card", question, CARDS[2])
    assert unseal(SECRET, "card", question, text) == CARDS[2]
    with pytest.raises(InvalidAnswerError):
        unseal(SECRET, "card", question._replace(options=CARDS[:2]), text)
    with pytest.raises(MissingSecretError):
        play(choice(), with_secrets(lambda path, question: text, None), list[LogEntry]().append)
