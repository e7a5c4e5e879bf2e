from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Place
from cardgen.project.project import Project, resolve_tables
from tests.projects import Folder


def names(folder: Folder, *targets: str) -> list[str]:
    files = Project.find().find_card_files(map(Path, targets))
    return [path.relative_to(folder.root).as_posix() for path in files]


@pytest.fixture
def tables(folder: Folder) -> Folder:
    folder.minions("Ash")
    for name in ("cards/a.csv", "data/b.json", "data/c.json"):
        folder.write(name, "")
    folder.write("cardgen.yaml", "tables: {data/b.json: {kind: minion}, ./cards/a.csv: {kind: minion}}")
    return folder


def test_tables_belong_to_the_project_wherever_they_are(tables: Folder) -> None:
    assert names(tables) == ["cards/minions.yaml", "data/b.json", "cards/a.csv"]


def test_a_folder_has_its_own_tables(tables: Folder) -> None:
    assert names(tables, "cards") == ["cards/minions.yaml", "cards/a.csv"]
    assert names(tables, "data") == ["data/b.json"]


def test_a_table_can_be_named(tables: Folder) -> None:
    assert names(tables, "data/b.json", "cards/a.csv") == ["data/b.json", "cards/a.csv"]


def test_a_file_that_is_no_table_of_the_project_is_refused(tables: Folder) -> None:
    with pytest.raises(CardgenError) as error:
        names(tables, "data/c.json")
    assert error.value.diagnostics[0].help == "name this table under 'tables' in cardgen.yaml"


def test_a_project_can_have_nothing_but_tables(tables: Folder) -> None:
    (tables.root / "cards/minions.yaml").unlink()
    assert names(tables) == ["data/b.json", "cards/a.csv"]


def test_every_wrong_path_is_located(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as error:
        resolve_tables(tmp_path, ["a.csv", "../b.csv", "c.doc"], Place)
    assert [str(each.place) for each in error.value.diagnostics] == ["../b.csv", "c.doc"]
