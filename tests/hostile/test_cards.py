"""Card files that are wrong, or mean harm."""

from __future__ import annotations

import sys
import time

import pytest

from tests.hostile.conftest import Attack
from tests.projects import MINION

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("kind: minion\nname: 'Sentinel\n", r"cards/a\.yaml:[23]:\d+: error\[CG005\]"),
        (MINION.replace("W: 1", "W: many"), r"cards/a\.yaml:3:\d+: error\[CG1\d\d\]: .*many"),
        (MINION.replace("kind: minion", "kind: dragon"), r"cards/a\.yaml:1:7: error\[CG\d+\]: unknown kind 'dragon'"),
        ("game: chess\n" + MINION, r"cards/a\.yaml:1:7: error\[CG\d+\]: unknown game 'chess'"),
        (
            MINION.encode() + b"text: caf\xe9\n",
            r"cards/a\.yaml:4:10: error\[CG003\]: byte \d+, 0xE9, is not valid UTF-8",
        ),
        (MINION.encode("utf-16"), r"cards/a\.yaml: error\[CG003\]: the file is UTF-16, not UTF-8"),
        (MINION + f"note: {DEEP}\n", r"cards/a\.yaml:4:\d+: error\[CG010\]: values are nested more than 32 levels"),
        (MINION + "note: " + "{a: " * 100_000, r"cards/a\.yaml:4:\d+: error\[CG010\]"),
        (MINION + "".join(f"{'  ' * n}- \n" for n in range(1, 700)), r"cards/a\.yaml:\d+:\d+: error\[CG0\d\d\]"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" + MINION, r"cards/a\.yaml:1:4: error\[CG008\]"),
        (MINION + "text: " + "x" * (1 << 20), r"cards/a\.yaml: error\[CG002\]: the file is larger than 1,024 KiB"),
        (
            MINION + "tags: [" + "a, " * 60_000 + "]\n",
            r"cards/a\.yaml:4:\d+: error\[CG011\]: the file has more than 50,000",
        ),
        (MINION + "qty: 100000000\n", r"cards/a\.yaml:4:6: error"),
        (MINION + "text: !!python/object/apply:os.system [id]\n", r"cards/a\.yaml:4:\d+: error\[CG007\]"),
        (MINION + 'text: "\\e[2J\\0"\n', r"cards/a\.yaml:4:7: error\[CG004\]"),
        (MINION + "size: 0.0001mm x 0.0001mm\n", r"cards/a\.yaml:4:7: error\[CG521\]: .* shorter than 4 mm"),
        (MINION + f"size: {'9' * 400}mm x 5mm\n", r"cards/a\.yaml:4:7: error\[CG521\]: .* longer than"),
        (MINION + f"template: {'a' * 5000}\n", r"cards/a\.yaml:4:11: error\[CG510\]: unknown template"),
        (MINION + "template: ../../../outside/secret\n", r"cards/a\.yaml:4:11: error\[CG510\]: unknown template"),
        (MINION + f"back: {'a' * 5000}\n", r"cards/a\.yaml:4:7: error\[CG510\]: unknown template"),
        (MINION + "theme: ../../../x\n", r"cards/a\.yaml:4:8: error\[CG520\]: unknown theme"),
        (MINION + f"text: {'w' * 900_000}\n", r"cards/a\.yaml:4:7: error\[CG501\]: .* characters too many"),
        (MINION + f"text: {'word ' * 150_000}\n", r"cards/a\.yaml:4:7: error\[CG501\]: .* characters too many"),
    ],
    ids=lambda value: str(value)[-24:],
)
def test_a_card_that_is_wrong_is_said_at_its_line(attack: Attack, content: str | bytes, message: str) -> None:
    attack.folder.write("cards/a.yaml", content)
    attack.fails(message)


def test_a_link_to_a_card_elsewhere_is_not_followed(attack: Attack, outside: object) -> None:
    attack.folder.minions("A")
    (attack.folder.root / "cards/b.yaml").symlink_to(attack.folder.root.parent / "outside/secret.yaml")
    attack.fails(r"cards/b\.yaml: error\[CG023\]: the link points outside")


def test_a_folder_without_cards(attack: Attack) -> None:
    attack.folder.write("cards/readme.txt", "none yet")
    attack.fails(r"cards: error\[CG022\]: no card files found")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize("name", ["Über Karten/ein Wächter.yaml", "a\nb/c\nd.yaml", "a\x1b[31m.yaml", "-o.yaml"])
def test_any_name_of_a_file_will_do(attack: Attack, name: str) -> None:
    attack.folder.write(f"cards/{name}", MINION)
    outcome = attack.cardgen("build", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    assert attack.folder.output("warniris-minion-a4.pdf").startswith(b"%PDF-1")
    attack.folder.write(f"cards/{name}", MINION + "oops: 1\n")
    said = attack.fails(r"\.yaml:4:1: error\[CG1\d\d\]: unknown key 'oops'")
    assert "\x1b" not in said
    assert len(said.splitlines()[0]) > len(name)


def test_what_a_file_says_cannot_steer_the_terminal(attack: Attack) -> None:
    said = attack.front("\n{{ nope }} \x1b[2J\x1b]0;owned\x07").fails(r"minion\.svg\.j2:3:4: error\[CG511\]")
    assert not {"\x1b", "\x07"} & set(said)


@pytest.mark.parametrize("value", ["1", "{}"])
def test_thousands_of_unknown_keys_take_little_time(attack: Attack, value: str) -> None:
    keys = "".join(f"key{number}: {value}\n" for number in range(4_000))
    started = time.process_time()
    attack.card(keys).fails(r"cards/a\.yaml:103:1: error\[CG101\]: unknown key 'key99' .*\(and 3,900 more like this\)")
    attack.card().folder.write("cardgen.yaml", keys)
    attack.fails(r"cardgen\.yaml:100:1: error\[CG\d+\]: unknown key 'key99'.*\(and 3,900 more like this\)")
    assert time.process_time() - started < 30
