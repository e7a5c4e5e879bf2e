"""Options that override settings: each does what its setting does, and mistakes name the option."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.cli import run
from cardgen.diagnostic import CardgenError
from cardgen.options import OPTIONS
from cardgen.print.request import BuildRequest
from cardgen.project.project import Project
from tests.projects import Folder

# Arguments of the command line, the value in Python, and the line of cardgen.yaml.
SAME = [
    (("--gap", "2mm"), {"gap": "2mm"}, "gap: 2mm"),
    (("--margin", "0.5in"), {"margin": "0.5in"}, "margin: 12.7mm"),
    (("--back-bleed", "1mm"), {"back_bleed": "1mm"}, "back_bleed: 1mm"),
    (("--punches", "25mm,40mm"), {"punches": ("25mm", "40mm")}, "punches: [25mm, 40mm]"),
    (("--punches", "none"), {"punches": ("none",)}, "punches: []"),
    (("--no-cut-list",), {"cut_list": False}, "cut_list: false"),
    (("--version-mark",), {"version_mark": True}, "version_mark: true"),
    (("--corners", "3mm"), {"corners": "3mm"}, "corners: 3mm"),
]


@pytest.mark.parametrize(("arguments", "options", "line"), SAME, ids=lambda each: str(each))
def test_an_option_is_its_setting(
    folder: Folder, arguments: tuple[str, ...], options: dict[str, Any], line: str
) -> None:
    (name,) = options
    given = BuildRequest(**options).apply_to(Project.find()).settings
    folder.write("cardgen.yaml", f"{line}\n")
    assert getattr(given, name) == getattr(Project.find().settings, name)
    assert given == Project.find().settings


@pytest.mark.parametrize(("arguments", "options", "line"), SAME, ids=lambda each: str(each))
def test_a_build_with_an_option_writes_what_its_setting_does(
    folder: Folder, arguments: tuple[str, ...], options: dict[str, Any], line: str
) -> None:
    folder.plain().minions("Anna", "Bert", "Cora")
    assert run(["release", "v1"]) == 0
    build = ["build", "-q", "--no-cache", "--format", "pdf,png", "--dpi", "50", "--layout", "packed"]
    assert run([*build, *arguments]) == 0
    given = {name: folder.output(name) for name in folder.files()}
    folder.write("cardgen.yaml", f"{line}\n")
    assert run(build) == 0
    assert given
    assert {name: folder.output(name) for name in folder.files()} == given


def test_an_option_overrides_its_setting(folder: Folder) -> None:
    folder.write("cardgen.yaml", "cut_list: false\nversion_mark: true\npunches: [40mm]\ngap: 2mm\n")
    given = BuildRequest(cut_list=True, version_mark=False, punches=("none",), gap="0mm")
    settings = given.apply_to(Project.find()).settings
    assert (settings.cut_list, settings.version_mark, settings.punches, settings.gap) == (True, False, (), 0)
    settings = BuildRequest().apply_to(Project.find()).settings
    assert (settings.cut_list, settings.version_mark, settings.punches, settings.gap) == (False, True, (40,), 2)


def test_all_mistakes_of_options_are_told_at_their_names(folder: Folder) -> None:
    request = BuildRequest(gap="wide", back_bleed="-1mm", punches=("25mm", "round", "thick"), paper="b17")
    with pytest.raises(CardgenError) as caught:
        request.apply_to(Project.find())
    told = [(each.place.file, each.message.partition("'")[2].partition("'")[0]) for each in caught.value.diagnostics]
    assert sorted(told) == [
        ("--back-bleed", "-1mm"),
        ("--gap", "wide"),
        ("--paper", "b17"),
        ("--punches", "round"),
        ("--punches", "thick"),
    ]


def test_switches_are_switches_for_programs_too() -> None:
    with pytest.raises(CardgenError) as caught:
        BuildRequest(cut_list="yes").apply_to(Project.find())  # type: ignore[arg-type]
    (told,) = caught.value.diagnostics
    assert (told.place.file, told.message) == ("--cut-list", "'yes' is not valid")


def test_every_setting_of_an_option_has_an_option_that_can_be_left_out() -> None:
    assert all(option.default is None for option in OPTIONS.values() if option.setting)
