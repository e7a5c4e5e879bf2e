from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print.build_manifest import BuildResult
from cardgen.print.request import BuildRequest
from cardgen.releases.write import write_release
from cardgen.target.job import ExportRequest, export
from tests.projects import STATS, Folder

CARDS = f"""\
kind: minion
cards:
  - {{name: Ash, qty: 2, stats: {STATS}, motto: Still}}
  - {{name: Ember, stats: {STATS}}}
  - {{name: Soot, qty: 3, stats: {STATS}}}
"""


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project with three cards and their release."""
    folder.plain().write("cards/a.yaml", CARDS)
    write_release("v1")
    return folder


def built(formats: tuple[str, ...] = ("svg",), **options: object) -> BuildResult:
    return build(BuildRequest(formats=formats, changed_since="v1", jobs=1, **options))  # type: ignore[arg-type]


def names(result: BuildResult) -> list[str]:
    return sorted(path.name for path in result.files if "back" not in path.name)


def test_only_new_cards_and_changed_rules_are_built(project: Folder) -> None:
    changed = CARDS.replace("Mo: 10}, motto: Still", "Mo: 12}, motto: Still").replace("name: Soot", "name: Grit")
    project.write("cards/a.yaml", changed + f"  - {{name: Flint, stats: {STATS.replace('W: 1', 'W: 2')}}}\n")
    result = built(("svg", "pdf"))
    assert result.cards == 2  # Grit is only another name.
    assert result.copies == 2 + 1
    assert [(each.id, each.copies) for each in result.discarded] == [("ash", 2)]
    assert not any("ember" in path.name for path in result.files)


def test_words_looks_and_copies_on_request(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("motto: Still", "motto: Loud").replace("qty: 3", "qty: 4"))
    assert built().cards == 0
    assert built().files == ()
    result = built(changes=("words",))
    assert [(each.id, each.copies) for each in result.discarded] == [("ash", 2)]
    assert result.cards == 1
    assert built(changes=("words", "copies")).cards == 2


def test_every_changed_card_that_is_not_printed_is_named(project: Folder) -> None:
    changed = CARDS.replace("motto: Still", "motto: Loud").replace("qty: 3", "qty: 4")
    project.write("cards/a.yaml", changed.replace("name: Ember, stats: {M: 2", "name: Ember, stats: {M: 3"))
    result = built()
    assert [(each.id, each.changes) for each in result.unprinted] == [("ash", ("words",)), ("soot", ("copies",))]
    assert [each.id for each in built(changes=("words",)).unprinted] == ["soot"]
    assert built(changes=("words", "copies")).unprinted == ()


def test_pieces_follow_their_cards(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("Mo: 10}, motto", "Mo: 12}, motto"))
    everything, changed = build(BuildRequest(formats=("svg",), kit=True, jobs=1)), built(kit=True)
    assert 1 < changed.cards < everything.cards
    assert all("ash" in Path(name).name for name in names(changed))


def test_a_warband_prints_its_changed_cards(project: Folder) -> None:
    project.write("cards/horde.yaml", "kind: warband\nname: Horde\nminions: [{minion: Ash, qty: 4}, {minion: Ember}]\n")
    write_release("v1", force=True)
    assert built(warband="Horde").cards == 0
    project.write("cards/a.yaml", CARDS.replace("Mo: 10}, motto", "Mo: 12}, motto").replace("qty: 3", "qty: 2"))
    result = built(warband="Horde")
    assert result.cards
    assert {each.id for each in result.discarded} == {"ash"}


def test_files_of_changes_are_beside_the_complete_ones(project: Folder) -> None:
    formats = ("pdf", "svg")
    complete = set(build(BuildRequest(formats=formats, jobs=1)).files)
    project.write("cards/a.yaml", CARDS.replace("Mo: 10}, motto", "Mo: 12}, motto"))
    result = built(formats)
    assert len(result.files) == 3
    assert not complete & {*result.files}
    assert all("since-v1" in str(path) for path in result.files)


def test_nothing_to_print_is_named_with_the_classes(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("motto: Still", "motto: Loud"))
    assert built().summary == "no cards to print: none is new or changed its rules since v1"
    assert built(changes=("looks", "copies")).summary.endswith(
        "none is new or changed its rules, looks, or copies since v1"
    )
    assert built(changes=("words",)).summary.startswith("2 files, 1 card in")


def test_an_export_has_only_changed_cards(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("Mo: 10}, motto", "Mo: 12}, motto"))
    result = export(ExportRequest("mpc", BuildRequest(output=Path("out"), changed_since="v1", jobs=1), {"dpi": 36}))
    assert (result.cards, result.copies, [each.id for each in result.discarded]) == (1, 2, ["ash"])


def test_an_export_without_changes_writes_nothing(project: Folder) -> None:
    result = export(ExportRequest("tts", BuildRequest(output=Path("out"), changed_since="v1", jobs=1), {}))
    assert not result.files
    assert result.outcome.notes == ("no cards to export: none is new or changed its rules since v1",)


def test_an_unknown_release_is_named_at_the_option(project: Folder) -> None:
    with pytest.raises(CardgenError, match=r"--changed-since: error.*unknown release 'v2'"):
        build(BuildRequest(changed_since="v2", jobs=1))
