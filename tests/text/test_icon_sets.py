"""Icon sets in the format of Iconify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.face.face import icon_outline
from cardgen.text.icon_sets import IconSets, read_icon_set
from cardgen.text.lines import Outline
from cardgen.text.shaped_row import Drawings, Icons, built_in_icons

BAR = {"body": '<path fill="currentColor" d="M0 0h4v2h-4z"/>', "width": 8, "height": 4}
SET = {
    "prefix": "my-set",
    "info": {"name": "My Set", "author": {"name": "Ann"}, "license": {"title": "CC BY 4.0"}},
    "width": 16,
    "height": 16,
    "icons": {"bar": BAR, "heart": BAR, "old": {**BAR, "hidden": True}, "wide": {"body": BAR["body"]}},
    "aliases": {
        "rod": {"parent": "bar"},
        "left": {"parent": "bar", "hFlip": True},
        "low": {"parent": "bar", "vFlip": True},
        "down": {"parent": "bar", "rotate": 1},
        "twice": {"parent": "down", "rotate": 1},
        "ring": {"parent": "ring"},
        "lost": {"parent": "nothing"},
    },
}


def icons(folder: Path, content: Any = SET) -> Icons:
    (folder / "mine.json").write_text(json.dumps(content), encoding="utf-8")
    return Icons(Drawings([folder]), sets=IconSets([folder], icon_outline))


def box(outline: Outline | None) -> tuple[float, ...]:
    """Return the left, lower, right, and upper edge, and the width; the height is 1."""
    assert outline is not None
    points = [stroke[at : at + 2] for path in outline.paths for stroke in path for at in range(1, len(stroke), 2)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return tuple(round(float(each), 3) for each in (min(xs), min(ys), max(xs), max(ys), outline.width))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bar", (0, 0.5, 1, 1, 2)),
        ("my-set:bar", (0, 0.5, 1, 1, 2)),
        ("rod", (0, 0.5, 1, 1, 2)),
        ("left", (1, 0.5, 2, 1, 2)),
        ("low", (0, 0, 1, 0.5, 2)),
        ("down", (0.25, 0.5, 0.5, 1, 0.5)),
        ("twice", (1, 0, 2, 0.5, 2)),
        ("wide", (0, 0.875, 0.25, 1, 1)),
    ],
)
def test_icons_and_their_aliases(tmp_path: Path, name: str, expected: tuple[float, ...]) -> None:
    assert box(icons(tmp_path).find(name)) == expected


def test_built_in_icons_come_first(tmp_path: Path) -> None:
    found = icons(tmp_path)
    assert found.find("heart") == built_in_icons().find("heart")
    assert box(found.find("my-set:heart")) == (0, 0.5, 1, 1, 2)
    assert {"bar", "rod", "wide"} <= {*found.names()}
    assert "old" not in found.names()
    for name in ("my-set:ring", "my-set:lost", "my-set:nothing", "other-set:bar"):
        assert found.find(name) is None


def test_whom_to_credit(tmp_path: Path) -> None:
    icons(tmp_path)
    found = read_icon_set(tmp_path / "mine.json")
    assert (found.credit, found.license) == ("My Set by Ann", "CC BY 4.0")
    (tmp_path / "mine.json").write_text('{"prefix": "x", "icons": {}}', encoding="utf-8")
    assert read_icon_set(tmp_path / "mine.json").credit == "x"


def test_a_package_says_in_a_file_of_its_own_whom_to_credit(tmp_path: Path) -> None:
    package = tmp_path / "my-set"
    package.mkdir()
    info = SET["info"]
    (package / "icons.json").write_text(json.dumps({**SET, "info": None}), encoding="utf-8")
    (package / "package.json").write_text("{}", encoding="utf-8")
    sets = IconSets([tmp_path], icon_outline)
    assert box(sets.find("bar")) == (0, 0.5, 1, 1, 2)
    assert [each.credit for each in sets.sets()] == ["my-set"]
    (package / "info.json").write_text(json.dumps(info), encoding="utf-8")
    assert [(each.credit, each.license) for each in IconSets([tmp_path]).sets()] == [("My Set by Ann", "CC BY 4.0")]


@pytest.mark.parametrize(
    "content",
    [
        [], "x", {}, {"icons": {}}, {"prefix": 1, "icons": {}}, {"prefix": "a/b", "icons": {}},
        {"prefix": "a", "icons": []}, {"prefix": "a", "icons": {}, "info": 3},
        {"prefix": "a", "icons": {}, "aliases": 1},
    ],
)  # fmt: skip
def test_what_is_no_set(tmp_path: Path, content: Any) -> None:
    found = icons(tmp_path, content)
    with pytest.raises(CardgenError, match=r"mine\.json: error.*: this is not an icon set"):
        found.find("bar")
    assert "bar" not in found.names()
    assert "not an icon set" in str([*found.unusable_files(tmp_path)])


@pytest.mark.parametrize(
    "icon",
    [
        {"body": 1}, {}, {**BAR, "width": 0}, {**BAR, "height": "9"}, {**BAR, "left": 1e300}, {**BAR, "top": None},
        {**BAR, "body": "<path"}, {**BAR, "body": '<image href="file:///etc/passwd"/>'},
    ],
)  # fmt: skip
def test_damaged_icons(tmp_path: Path, icon: Any) -> None:
    found = icons(tmp_path, {**SET, "icons": {"bar": icon}})
    with pytest.raises(CardgenError, match=r"mine\.json"):
        found.find("bar")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    (tmp_path / "mine.json").write_text(json.dumps(SET), encoding="utf-8")
    (tmp_path / "icons" / "mine.json").symlink_to(tmp_path / "mine.json")
    with pytest.raises(CardgenError, match="the link points outside"):
        IconSets([tmp_path / "icons"], icon_outline).find("bar")
