from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.project.project import Project
from cardgen.target import profile
from cardgen.target.registry import TARGETS
from tests.cases import each_case
from tests.projects import Folder

BUILT_IN = profile.profile_files(Project(Path("/")))


@each_case("name", sorted(BUILT_IN))
def test_built_in_profiles_are_valid(name: str) -> None:
    assert profile.load_profile(BUILT_IN[name]).target in TARGETS


@each_case("name", sorted(TARGETS))
def test_each_target_has_a_profile_and_a_module(name: str) -> None:
    assert profile.title_and_target(BUILT_IN[name]) == (TARGETS[name].title, name)
    assert callable(profile.target_module(name).export)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title: X\n", r"services/mine\.yaml: error\[CG541\]: the profile has no 'target'"),
        ("[]\n", r"services/mine\.yaml: error\[CG541\]: the profile has no 'target'"),
        ("target: ttsp\n", r"services/mine\.yaml:1:9: error\[CG541\]: unknown target 'ttsp'; did you mean"),
        ("target: [tts]\n", r"mine\.yaml:1:9: error\[CG541\]: 'target' must be a name, not a list"),
        ("target: tts\n", r"mine\.yaml:1:1: .*missing key 'title'"),
        ("target: tts\ntitle: X\ncolums: 3\n", r"mine\.yaml:3:1: .*unknown key 'colums'; did you mean 'columns'"),
        ("target: tts\ntitle: X\ncolumns: 11\n", r"mine\.yaml:3:10: .*11"),
        ("target: tts\ntitle: X\ndpi: high\n", r"mine\.yaml:3:6: .*'high'"),
        ("target: tgc\ntitle: X\ndecks: [{identity: ../../x, width: 825, height: 1125, trim: poker}]\n",
         r"mine\.yaml:3:20: error\[CG106\]: .*'../../x'"),
        ("target: tts\ntarget: tts\n", r"mine\.yaml:2:1: .*duplicate key 'target'"),
    ],
)  # fmt: skip
def test_mistakes_are_located(folder: Folder, text: str, message: str) -> None:
    path = folder.write("services/mine.yaml", text)
    with pytest.raises(CardgenError, match=message):
        profile.load_profile(path)


def test_profiles_of_the_project_come_first(folder: Folder) -> None:
    own = folder.write("services/tts.yaml", "target: tts\ntitle: Mine\n")
    assert profile.profile_files(Project(folder.root))["tts"] == own


@pytest.mark.parametrize("name", [".", "..", "con", "aux.x", "a:b", "..\\x", "-o", "a\x1b[2J"])
def test_a_name_that_leads_elsewhere_is_no_name(folder: Folder, name: str) -> None:
    try:
        path = folder.write(f"services/{name}.yaml", "target: tts\ntitle: X\n")
    except OSError:
        pytest.skip("this system has no such names")
    for read in (profile.load_profile, profile.title_and_target):
        with pytest.raises(CardgenError, match=r"error.CG541.*cannot be the name of a service"):
            read(path)


def test_a_link_out_of_the_project_is_refused(folder: Folder, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("target: tts\ntitle: X\n", encoding="utf-8")
    (folder.root / "services").mkdir()
    (folder.root / "services" / "mine.yaml").symlink_to(outside)
    with pytest.raises(CardgenError, match="points outside the project"):
        profile.profile_files(Project(folder.root))
