"""The page about sentences: what it shows as read is read, and no check finds fault with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.checking.harness import checked
from tests.cli.commands import Program

PAGE = (Path(__file__).parents[2] / "docs" / "sentences.md").read_text(encoding="utf-8")
HEADS = {"warniris": "kind: relic", "warcry": "kind: ability\nprice: double"}


def sentences(game: str) -> list[str]:
    """Return the whole sentences among the examples of a game."""
    ways, others = PAGE.split("## Ways to write")[1].split("### Sentences that refer to others")
    return re.findall(r"^- (.*\.)$", ways, re.M) if game == "warniris" else re.findall(r"`([A-Z+].*\.)`", others)


@pytest.mark.parametrize("game", HEADS)
def test_whole_sentences_are_read_and_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    examples = sentences(game)
    assert len(examples) >= 2
    monkeypatch.chdir(tmp_path)
    for text in examples:
        outcome = checked(tmp_path, f"game: {game}\nname: Sun\n{HEADS[game]}\ntext: '{text}'\n")
        assert [each.diagnostic for each in outcome.findings] == [], text
        said = Program(capsys)("explain").out
        levels = re.findall(r"^ +(read|read loosely|not read)$", said, re.M)
        assert {*levels} == {"read"}, said
