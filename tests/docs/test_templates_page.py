from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.print.request import BuildRequest
from cardgen.svg import subset

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "templates.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
GUARD = """
game: warniris
kind: minion
name: Toll Guard
motto: Two coins, or two teeth.
stats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}
weapons:
  - Halberd: CW R2 P1 D2
  - Crossbow: RW R14 P1 D1
"""


def test_the_page_has_a_template_its_settings_and_a_theme() -> None:
    assert set(FILES) == {
        "templates/warniris/minion.layout.yaml",
        "templates/warniris/minion.svg.j2",
        "cardgen.yaml",
        "templates/warniris/theme.yaml",
    }


@pytest.mark.parametrize("files", [{"templates/warniris/minion.layout.yaml"}, {*FILES}])
@pytest.mark.parametrize("art", [False, True])
def test_the_examples_build_as_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, art: bool, files: set[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in ((name, FILES[name]) for name in files):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    picture = DOCS.parent / "tests" / "templates" / "art" / "harbour.png"
    (tmp_path / "harbour.png").write_bytes(picture.read_bytes())
    (tmp_path / "cards").mkdir()
    card = GUARD + ("art: harbour.png\n" if art else "")
    (tmp_path / "cards" / "guard.yaml").write_text(card, encoding="utf-8")
    built = build(BuildRequest())
    assert built.cards == 1
    assert [path.name for path in built.files] == ["warniris-minion-a4.pdf"]


def test_all_attributes_of_text_on_an_arc_are_explained() -> None:
    assert set(re.findall(r"[\w-]+", PAGE)) >= subset.ARC_ATTRIBUTES


@pytest.mark.parametrize("tag", sorted(subset.BOX_ATTRIBUTES))
def test_all_attributes_of_boxes_are_explained(tag: str) -> None:
    words = {*re.findall(r"[\w-]+", PAGE), *re.findall(r"[\w:-]+", PAGE)}
    assert tag.split(":")[-1] in words
    assert subset.BOX_ATTRIBUTES[tag] <= words
