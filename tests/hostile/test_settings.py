"""Settings, themes and fonts that are nonsense."""

from __future__ import annotations

import pytest

from tests.hostile.conftest import Attack


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("- 1\n- 2\n", r"cardgen\.yaml:1:1: error"),
        ("hello", r"cardgen\.yaml:1:1: error"),
        (b"\xff\xfeh", r"cardgen\.yaml: error\[CG003\]"),
        ("bleed: wide\n", r"cardgen\.yaml:1:8: error"),
        ("bleed: -3mm\n", r"cardgen\.yaml:1:8: error"),
        (f"bleed: {'9' * 400}mm\n", r"cardgen\.yaml:1:8: error.* longer than"),
        ("margin: 1000000mm\n", r"cardgen\.yaml:1:9: error.* longer than"),
        ("paper: 1000000mm x 1000000mm\n", r"cardgen\.yaml:1:8: error.* longer than"),
        ("paper: 0.0001mm x 1mm\n", r"cardgen\.yaml:1:8: error.* shorter than"),
        ("paper: 5mm x 5mm\n", r"error\[CG523\]"),
        ("margin: 500mm\n", r"error\[CG523\]"),
        ("game: chess\n", r"error"),
        ("theme: ../../x\n", r"cardgen\.yaml:1:8: error\[CG520\]"),
        ("layout: spiral\n", r"cardgen\.yaml:1:9: error\[CG520\]"),
        ("sizes: {nope: a4}\n", r"cardgen\.yaml:1:\d+: error"),
        ("sizes: {minion: 0.01mm x 0.01mm}\n", r"cardgen\.yaml:1:\d+: error.* shorter than"),
        ("rulings: {nope: x}\n", r"cardgen\.yaml:1:\d+: error\[CG031\]"),
        ("backs: sideways\n", r"cardgen\.yaml:1:8: error"),
        ("nope: 1\n", r"cardgen\.yaml:1:1: error.* unknown key 'nope'"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_settings_that_are_nonsense(attack: Attack, content: str | bytes, message: str) -> None:
    attack.folder.write("cardgen.yaml", content)
    attack.card().fails(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("- 1\n", r"theme\.yaml:1:1: error"),
        ("hello", r"theme\.yaml:1:1: error"),
        (b"a: \xe4", r"theme\.yaml:1:4: error\[CG003\]"),
        ("colours: {ink: red}\n", r"theme\.yaml:1:16: error"),
        ("styles: {body: {font: text, size: .inf}}\n", r"theme\.yaml:1:\d+: error"),
        ("styles: {body: {font: text, size: 1e5}}\n", r"theme\.yaml:1:\d+: error"),
        (
            "styles: {body: {font: nope, size: 9}}\n",
            r"theme\.yaml:1:\d+: error\[CG514\]: unknown font 'nope' in the theme",
        ),
        ("fonts: {text: Nope}\n", r"theme\.yaml:1:15: error\[CG514\]: unknown font family 'Nope'"),
        ("fonts: 5\n", r"theme\.yaml:1:8: error"),
        ("ornaments: 5\n", r"theme\.yaml:1:12: error"),
        ("a: &a 1\n", r"theme\.yaml:1:4: error\[CG008\]"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_theme_that_is_nonsense(attack: Attack, content: str | bytes, message: str) -> None:
    attack.folder.write("templates/warniris/theme.yaml", content)
    attack.card().fails(message)


@pytest.mark.parametrize("content", [b"", b"no font", b"\x00\x01\x00\x00\xff\xff" + bytes(50), b"OTTO" + bytes(99)])
def test_a_font_that_is_none(attack: Attack, content: bytes) -> None:
    attack.folder.write("fonts/own.ttf", content)
    attack.card().fails(r"fonts/own\.ttf: error\[CG594\]: own\.ttf is not a valid font file")


def test_a_folder_that_is_called_like_a_font(attack: Attack) -> None:
    attack.folder.write("fonts/own.ttf/readme", "")
    assert attack.card().cardgen("build", "-q").code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("paper: a4\nslots:\n  - {size: poker, x: 1mm, y: 1mm, columns: 100000}\n", r"sprues/mine\.yaml:3:\d+: error"),
        ("paper: a4\nslots: [{size: poker, x: 150mm, y: 1mm}]\n", r"sprues/mine\.yaml:2:\d+: error\[CG528\]"),
        ("paper: 5000mm x 5000mm\nslots: [{size: poker, x: .nan, y: 1mm}]\n", r"sprues/mine\.yaml:2:\d+: error"),
        ("&a [*a]\n", r"sprues/mine\.yaml:1:1: error\[CG008\]"),
        (b"\xff\xfe", r"sprues/mine\.yaml: error\[CG003\]"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_sprue_that_is_nonsense(attack: Attack, content: str | bytes, message: str) -> None:
    attack.folder.write("cardgen.yaml", "sprue: mine\n")
    attack.folder.write("sprues/mine.yaml", content)
    attack.card().fails(message)
