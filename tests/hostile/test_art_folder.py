"""Folders of pictures that are found by the cards' ids."""

from __future__ import annotations

import time

import pytest

from tests.hostile.conftest import Attack
from tests.projects import STATS


@pytest.mark.parametrize("command", ["check", "list", "build", "show sentinel"])
@pytest.mark.parametrize("target", ["../outside", "art"])
def test_a_folder_that_leads_out_has_no_pictures(attack: Attack, outside: object, command: str, target: str) -> None:
    (attack.folder.root / "art").symlink_to(target)
    attack.card("art: auto\n").folder.write("cardgen.yaml", "art: auto\n")
    outcome = attack.cardgen(*command.split())
    assert outcome.code == 1, outcome
    assert "secret" not in outcome.out + outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("command", ["check", "list", "build", "show sentinel"])
@pytest.mark.parametrize("names", [["moon.png"], ["sentinel.png"], ["sentinel.png", "sentinel.jpg"]])
@pytest.mark.parametrize("art", ["", "art: auto\n"])
def test_pictures_that_are_links_to_themselves(attack: Attack, names: list[str], command: str, art: str) -> None:
    (attack.folder.root / "art").mkdir()
    for name in names:
        (attack.folder.root / "art" / name).symlink_to(name)
    attack.card(art).folder.write("cardgen.yaml", art)
    outcome = attack.cardgen(*command.split())
    assert outcome.code in (0, 1), outcome
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("art", ["", "art: auto\n"])
def test_a_huge_folder_is_read_once(attack: Attack, art: str) -> None:
    for number in range(2_000):
        attack.folder.write(f"art/picture-number-{number}.png", b"")
    cards = "".join(f"- name: Unknown Picture {number}\n  stats: {STATS}\n" for number in range(50))
    attack.folder.write("cards/a.yaml", f"kind: minion\ndefaults: {{{art.strip()}}}\ncards:\n{cards}")
    attack.folder.write("cardgen.yaml", "art: auto\n")
    started = time.process_time()
    attack.cardgen("check", "--no-cache")
    assert time.process_time() - started < 20


def test_a_folder_with_too_many_files_is_an_error(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of them were read would depend on the file system."""
    monkeypatch.setattr("cardgen.deck.art._MAX_ENTRIES", 3)
    for name in "abcd":
        attack.folder.write(f"art/{name}.png", b"")
    attack.card("art: auto\n").fails("CG\\d+.*more than 3 files in art/")
