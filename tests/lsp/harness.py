"""A language client, and a project of 1,000 cards."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import decks

CLOAK = """kind: relic
name: Test Cloak
motto: Seen too late 🎲, é
effects:
  - {when: attacked, if: {range_over: 12}, attacker: {mind: -1, spirit: -1}}
"""
LEVY = """kind: warband
name: The Levy 🎲🎲
minions:
  - {minion: iron-warden, qty: 2}  # 🎲
"""


def write_project(root: Path) -> None:
    """Write a project of 1,000 minions in 10 files, a relic, and a warband."""
    folder = root / "cards"
    folder.mkdir(parents=True)
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    head, *cards = decks.minions(1000).split("  - name: ")
    for number in range(10):
        text = head + "".join(f"  - name: {card}" for card in cards[number * 100 : number * 100 + 100])
        (folder / f"minions-{number}.yaml").write_text(text, encoding="utf-8")
    (folder / "cloak.yaml").write_text(CLOAK, encoding="utf-8")
    (folder / "levy.yaml").write_text(LEVY, encoding="utf-8")
