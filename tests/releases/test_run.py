"""A history of releases, each with one edit of a known class."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.releases.changes import Changes
from cardgen.releases.run import diff
from cardgen.releases.write import write_release
from tests.projects import Folder

CARDS = """\
kind: character
cards:
  - name: Ash
    stats: {mind: 2, body: 3, spirit: 2, wounds: 9, movement: 12}
    weapons: [{name: Rifle, type: RW, range: 20, penetration: 1, damage: 2}]
    motto: Cold and still
  - name: Ember
    stats: {mind: 3, body: 3, spirit: 2, wounds: 8, movement: 12}
"""
MOVED = """\
# Other keys first, quotes, and a comment.
kind: "character"
motto: 'Cold and still'
weapons:
  - {damage: 2, penetration: 1, name: "Rifle", type: RW, range: 20}
stats: {Mo: 12, W: 9, S: 2, B: 3, M: 2}
name: "Ash"
"""
FRONT = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" fill="#eee"/></svg>\n'
Edit = Callable[[Folder], object]


def replaced(old: str, new: str) -> Edit:
    assert old in CARDS
    return lambda folder: folder.write("cards/a.yaml", CARDS.replace(old, new))


def move(folder: Folder) -> None:
    folder.write("cards/a.yaml", CARDS[: CARDS.index("  - name: Ash")] + CARDS[CARDS.index("  - name: Ember") :])
    folder.write("cards/z/ash.yaml", MOVED)


def classes(changes: Changes) -> dict[str, list[str]]:
    return {each.card.id: [change.value for change in each.changes] for each in changes.cards}


THIRD = "  - {name: Cinder, stats: {M: 1, B: 1, S: 1, W: 5, Mo: 10}}\n"
HISTORY: dict[str, tuple[Edit, dict[str, list[str]]]] = {
    "nothing": (lambda folder: None, {}),
    "moved, reordered, comments, quotes": (move, {}),
    "number": (replaced("damage: 2", "damage: 3"), {"ash": ["rules"]}),
    "words": (replaced("Cold and still", "Cold but still"), {"ash": ["words"]}),
    "name with the same id": (replaced("name: Ember", "name: Embers\n    id: ember"), {"ember": ["words"]}),
    "name of a weapon": (replaced("name: Rifle", "name: Musket"), {"ash": ["words"]}),
    "note and draft: false": (replaced("name: Ember", "name: Ember\n    note: todo\n    draft: false"), {}),
    "copies": (replaced("name: Ember", "name: Ember\n    qty: 3"), {"ember": ["copies"]}),
    "size": (replaced("name: Ember", "name: Ember\n    size: poker"), {"ember": ["looks"]}),
    "new": (lambda folder: folder.write("cards/a.yaml", CARDS + THIRD), {"cinder": ["new"]}),
    "gone": (lambda folder: folder.write("cards/a.yaml", CARDS[: CARDS.index("  - name: Ember")]), {"ember": ["gone"]}),
    "draft": (replaced("name: Ember", "name: Ember\n    draft: true"), {"ember": ["gone"]}),
    "renamed": (replaced("name: Ash", "name: Soot"), {"soot": ["renamed", "words"]}),
    "another id": (replaced("name: Ash", "name: Ash\n    id: soot"), {"soot": ["renamed"]}),
    "template": (
        lambda folder: folder.write("templates/warniris/character.svg.j2", FRONT.replace("eee", "ddd")),
        {"ash": ["looks"], "ember": ["looks"]},
    ),
    "theme": (
        lambda folder: folder.write("templates/warniris/theme.yaml", 'colours: {ink: "#123456"}\n'),
        {"ash": ["looks"], "ember": ["looks"]},
    ),
    "ruling": (
        lambda folder: folder.write("cardgen.yaml", "rulings: {tie-rolls: first}\n"),
        {"ash": ["rules"], "ember": ["rules"]},
    ),
    "rules and words": (
        lambda folder: folder.write("cards/a.yaml", CARDS.replace("wounds: 9", "wounds: 8").replace("Cold", "Warm")),
        {"ash": ["rules", "words"]},
    ),
}  # fmt: skip


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project with two cards and their release."""
    folder.write("templates/warniris/character.svg.j2", FRONT)
    folder.write("cards/a.yaml", CARDS)
    write_release("v1")
    return folder


@pytest.mark.parametrize("name", HISTORY)
def test_every_edit_has_its_class(project: Folder, name: str) -> None:
    edit, expected = HISTORY[name]
    edit(project)
    assert classes(diff("v1")) == expected


def test_a_release_is_compared_with_another(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("damage: 2", "damage: 3"))
    write_release("v2")
    project.write("cards/a.yaml", CARDS)
    (card,) = diff("v1", "v2").cards
    assert card.values == (("weapons/0/damage", 2, 3),)
    assert classes(diff("v1")) == {}


def test_an_earlier_release_is_kept(project: Folder) -> None:
    assert write_release("v1").unchanged
    project.write("cards/a.yaml", CARDS.replace("damage: 2", "damage: 3"))
    with pytest.raises(CardgenError, match="file already exists; left unchanged"):
        write_release("v1")
    assert not write_release("v1", force=True).unchanged
    assert classes(diff("v1")) == {}


@pytest.mark.parametrize("name", ["", "../v1", "a/b", "-x", "v1.", "con", "NUL.2"])
def test_names_that_a_file_cannot_have(project: Folder, name: str) -> None:
    with pytest.raises(CardgenError, match="is not a valid name of a release"):
        write_release(name)


def test_names_that_differ_only_in_case_are_one_file_on_other_systems(project: Folder) -> None:
    with pytest.raises(CardgenError, match="'V1' differs from the release 'v1' only in case"):
        write_release("V1")


def git(root: Path, *arguments: str) -> None:
    identity = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **identity, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=environment)


def test_a_tag_without_a_release_file(project: Folder) -> None:
    (project.root / "releases" / "v1.yaml").unlink()
    (project.root / "link.yaml").symlink_to("/etc/hostname")
    git(project.root, "init", "-q")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "first")
    git(project.root, "tag", "v0")
    assert classes(diff("v0")) == {}
    project.write("cards/a.yaml", CARDS.replace("damage: 2", "damage: 3"))
    assert classes(diff("v0")) == {"ash": ["rules"]}
    assert classes(diff("v0", "HEAD")) == {}
    for name in ("v7", "--help", "v0..HEAD", "HEAD:cards"):
        with pytest.raises(CardgenError, match="unknown release"):
            diff(name)


def test_problems_at_a_tag_name_the_tag(project: Folder) -> None:
    project.write("cards/a.yaml", "kind: character\nname: Ash\n")
    git(project.root, "init", "-q")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "first")
    with pytest.raises(CardgenError, match=r"HEAD:cards/a\.yaml:1:1.*missing key 'stats'"):
        diff("HEAD")
