"""Release files that strangers wrote: they are read and compared, or refused at a line; see `test_fuzz`.

A case takes a few milliseconds, so there are as many as all others together.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.cli._output import json_text
from cardgen.deck.release_file import Release, parse_release, release_text
from cardgen.releases.changes import compare
from cardgen.releases.odds import meanings
from cardgen.releases.page import as_html
from cardgen.releases.report import as_data, markdown_lines, text_lines
from cardgen.releases.snapshot import take_snapshot
from cardgen.releases.write import notes_text
from tests.fuzz.mutation import mutated, nudged
from tests.fuzz.test_fuzz import ENDS, ROOT, ends, fuzzed
from tests.fuzz.test_fuzz import project as project
from tests.projects import STATS

# The cases have a limit each, whatever their number.
pytestmark = pytest.mark.timeout(0)
WORDS = (
    "format: 1", "format: 2", "cards:", "rulings:", "games:", "date: 2026-05-31", "- id: ash", "- look:", "- values: 1",
    "  look:", "  values:", "  texts:", "  terms:", "    stats/mind: 2", '    "a b": true', '"\\ud800"', '"\\u0000"',
    "1e999", "-0.0", "1e-300", "123456789012345678", "null", "~", "true", "weapons/0/name", "weapons/-1", "a//b",
    "effects/0/when", "  qty: 0", "  name: ''", "  kind: minion", "  game: warcry", "- id: ember", "  ash:",
)  # fmt: skip
CARDS = f"""\
kind: minion
cards:
  - {{name: Ash, stats: {STATS}, motto: Still, weapons: [{{Knife: CW R1 P1 D2}}, {{Bow: RW R14 P1 D1}}]}}
  - {{name: Ember, qty: 2, stats: {STATS}, text: "While it is Hidden, it has +1 Body."}}
"""


class Material(NamedTuple):
    """A project, its release, and the text of the file."""

    folder: Path
    release: Release
    text: str


def material(folder: Path) -> Material:
    release = take_snapshot("v1", folder)
    return Material(folder, release, release_text(release, "2026-05-31"))


@pytest.fixture(scope="module")
def materials(tmp_path_factory: pytest.TempPathFactory) -> list[Material]:
    """A project with a game of its own, and one with cards of two games."""
    own, both = tmp_path_factory.mktemp("own") / "project", tmp_path_factory.mktemp("both")
    shutil.copytree(ROOT / "examples" / "long-stair", own)
    (both / "cardgen.yaml").write_text("game: warniris\nrulings: {}\n", encoding="utf-8")
    (both / "cards").mkdir()
    (both / "cards/a.yaml").write_text(CARDS, encoding="utf-8")
    choir = yaml.safe_load((ROOT / "cards/warcry/ember-choir.yaml").read_text(encoding="utf-8"))
    (both / "cards/b.yaml").write_text(yaml.safe_dump({**choir, "cards": choir["cards"][:3]}), encoding="utf-8")
    return [material(own), material(both)]


def told(one: Release, other: Release) -> None:
    """Tell all that changed, in every form."""
    changes = compare(one, other)
    for line in (*text_lines(changes), *markdown_lines(changes)):
        line.encode()
    json_text("diff", as_data(changes)).encode()
    notes_text(Path("releases/v2.md"), changes, "2026-05-31")[0].encode()


@fuzzed(1)
@given(st.data())
def test_release_files(materials: list[Material], data: st.DataObject) -> None:
    which = data.draw(st.sampled_from(materials))
    text = data.draw(st.one_of(mutated((which.text,), WORDS), nudged((which.text,), WORDS)))

    def compared() -> None:
        read = parse_release(text.encode("utf-8", "replace").decode(), "v1", "releases/v1.yaml")
        assert parse_release(release_text(read, "2026-05-31"), "v1", "x") == read
        told(read, which.release)
        told(which.release, read)

    ends(compared, "releases")


@fuzzed(0.02)
@given(st.data())
def test_what_changed_releases_mean(materials: list[Material], data: st.DataObject) -> None:
    which = data.draw(st.sampled_from(materials))
    text = data.draw(nudged((which.text,), WORDS))

    def computed() -> None:
        read = parse_release(text.encode("utf-8", "replace").decode(), "v1", "releases/v1.yaml")
        changes = compare(read, which.release)
        as_html(changes, meanings(read, which.release, changes), "v1", None)

    ends(computed, "meanings")


def test_some_are_accepted_and_some_refused() -> None:
    built, refused = ENDS["releases built"], ENDS["releases refused"]
    if built + refused < 30:
        pytest.skip("too few cases")
    assert 0.1 < built / (built + refused) < 0.9, ENDS
