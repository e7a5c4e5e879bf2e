from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.project.project import Project


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(root: Path, *named: str) -> list[str]:
    return [path.relative_to(root).as_posix() for path in Project(root).find_card_files([Path(name) for name in named])]


def refused(root: Path, *named: str) -> list[str]:
    with pytest.raises(CardgenError) as caught:
        found(root, *named)
    return [str(diagnostic) for diagnostic in caught.value.diagnostics]


def test_the_cards_folder_is_the_place_for_cards(root: Path) -> None:
    write(root, "cards/b.yaml", "cards/a/z.yml", "cards/a-b.yaml", "cards/x.txt", "other.yaml")
    assert found(root) == ["cards/a/z.yml", "cards/a-b.yaml", "cards/b.yaml"]


def test_without_it_all_of_the_project_is_searched(root: Path) -> None:
    write(root, "b.yaml", "sub/a.yml", "cardgen.yaml", "templates/t.yaml", "fonts/f.yaml", "icons/i.yaml",
          "output/o.yaml", ".hidden/h.yaml", ".hidden.yaml", "p/cardgen.yaml", "p/b.yaml", "readme.md")  # fmt: skip
    assert found(root) == ["b.yaml", "sub/a.yml"]


def test_named_files_and_folders_come_in_the_order_they_are_named(root: Path) -> None:
    write(root, "cards/a.yaml", "b.yaml", "sub/c.yaml", "sub/a.yaml")
    assert found(root, "sub", "b.yaml", "sub/c.yaml") == ["sub/a.yaml", "sub/c.yaml", "b.yaml"]


def test_a_named_folder_may_be_one_that_is_passed_over_otherwise(root: Path) -> None:
    write(root, "output/a.yaml")
    assert found(root, "output") == ["output/a.yaml"]


def test_links_within_the_folder_are_followed(root: Path) -> None:
    write(root, "cards/a.yaml")
    (root / "cards" / "b.yaml").symlink_to(root / "cards" / "a.yaml")
    assert found(root) == ["cards/a.yaml", "cards/b.yaml"]


def test_a_link_out_of_the_project_is_refused(root: Path) -> None:
    write(root, "cards/a.yaml", "../secret.yaml")
    (root / "cards" / "b.yaml").symlink_to(root.parent / "secret.yaml")
    assert refused(root) == ["cards/b.yaml: error[CG023]: the link points outside the project"]


def test_a_link_to_itself_is_refused(root: Path) -> None:
    write(root, "cards/a.yaml")
    (root / "cards" / "b.yaml").symlink_to("b.yaml")
    assert refused(root) == ["cards/b.yaml: error[CG023]: the link points to itself"]


def test_links_to_themselves_that_are_no_cards_are_passed_over(root: Path) -> None:
    write(root, "cards/a.yaml")
    (root / "cards" / "loop.png").symlink_to("loop.png")
    (root / "cards" / "loop").symlink_to("loop")
    assert found(root) == ["cards/a.yaml"]


def test_an_empty_project(root: Path) -> None:
    assert refused(root) == [".: error[CG022]: no card files found"]
    write(root, "cards/readme.md")
    assert refused(root) == ["cards: error[CG022]: no card files found"]


def test_a_path_that_does_not_exist_suggests_one_that_does(root: Path) -> None:
    write(root, "cards/brute.yaml")
    for typed, meant in (("card", "cards"), ("cards/brut.yaml", "cards/brute.yaml")):
        with pytest.raises(CardgenError) as caught:
            found(root, typed)
        assert caught.value.diagnostics[0].help == f"did you mean '{meant}'?"


def test_a_folder_that_may_not_be_listed_suggests_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> Iterator[Path]:
        raise PermissionError

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(CardgenError) as caught:
        found(root, "cards/brut.yaml")
    assert str(caught.value.diagnostics[0].message) == "no such file or folder"


def test_paths_that_are_no_card_files(root: Path) -> None:
    write(root, "cardgen.yaml", "cards.json", "empty/x.txt")
    assert refused(root, "none.yaml", "cardgen.yaml", "cards.json", "empty") == [
        "cardgen.yaml: error[CG021]: the file contains the project's settings, not cards",
        "cards.json: error[CG021]: the name of a card file must end in .yaml or .yml",
        "empty: error[CG022]: no card files found",
        "none.yaml: error[CG020]: no such file or folder",
    ]


def test_a_refusal_says_what_to_do(root: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        Project(root).find_card_files()
    (refusal,) = caught.value.diagnostics
    assert refusal.help == "write a card such as cards/sentinel.yaml, or run 'cardgen new' to create one"
