from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest

from cardgen.target.registry import TARGETS
from tests.cli.commands import Program, process
from tests.projects import Folder
from tests.target.exports import TABLETOPS, small_project


def digests(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.parametrize("target", TABLETOPS)
def test_an_export_says_what_it_wrote(folder: Folder, cardgen: Program, target: str) -> None:
    small_project(folder)
    outcome = cardgen("export", target, "--dpi", "40")
    assert (outcome.code, outcome.err) == (0, "")
    assert "6 cards, 13 copies, " in outcome.out
    assert "\nnext: " in outcome.out
    assert folder.files(f"output/{target}")


@pytest.mark.parametrize("target", TABLETOPS)
def test_json_lists_the_files_with_their_sizes(folder: Folder, cardgen: Program, target: str) -> None:
    small_project(folder)
    outcome = cardgen("export", target, "--dpi", "40", "-o", "x", "--json")
    result = json.loads(outcome.out)
    assert (result["command"], result["target"], result["cards"], result["copies"]) == ("export", target, 6, 13)
    assert {each["path"]: each["bytes"] for each in result["files"]} == {
        f"x/{name}": (folder.root / "x" / name).stat().st_size for name in folder.files("x")
    }
    assert result["notes"]


@pytest.mark.share(2)
@pytest.mark.parametrize("target", TABLETOPS)
def test_an_export_has_the_same_bytes_each_time(folder: Folder, target: str) -> None:
    small_project(folder, 20)
    results = []
    for seed, jobs in (("1", "1"), ("2", "2")):
        outcome = process("export", target, "--dpi", "40", "-q", "--no-cache", "-j", jobs, PYTHONHASHSEED=seed)
        assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
        results.append(digests(folder.root / "output"))
    assert results[0] == results[1]


def test_a_card_with_a_problem_writes_nothing(folder: Folder, cardgen: Program) -> None:
    small_project(folder)
    folder.write("cards/broken.yaml", "kind: minion\nname: Broken\n")
    outcome = cardgen("export", "tts")
    assert outcome.code == 1
    assert "broken.yaml" in outcome.err
    assert not (folder.root / "output").exists()


def test_cards_with_a_problem_can_be_left_out(folder: Folder, cardgen: Program) -> None:
    small_project(folder)
    folder.write("cards/broken.yaml", "kind: minion\nname: Broken\n")
    outcome = cardgen("export", "web", "--dpi", "40", "--keep-going")
    assert outcome.code == 4
    assert "cards/broken.yaml:1:1: warning[CG102]" in outcome.err
    assert "left out:\n  Broken (minion broken)\n6 cards, " in outcome.out
    outcome = cardgen("export", "web", "--dpi", "40", "--keep-going=placeholder", "--json")
    assert (outcome.code, [each["id"] for each in json.loads(outcome.out)["skipped"]]) == (4, ["broken"])
    assert "Broken" in folder.output("web/index.html").decode()


def test_an_unknown_target_is_a_usage_error(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("export", "tttpg")
    assert outcome.code == 2
    assert "unknown target 'tttpg'; did you mean 'ttpg'?" in outcome.err


def test_an_unknown_target_that_is_like_no_other_lists_all(folder: Folder, cardgen: Program) -> None:
    assert "unknown target 'xyz'; available: tts, " in cardgen("export", "xyz").err


def test_help_lists_the_targets_and_those_of_the_project(folder: Folder, cardgen: Program) -> None:
    folder.write("services/club.yaml", "target: tts\ntitle: Club\n")
    out = cardgen("export", "--help").out
    assert "TARGET [PATHS]..." in out
    assert all(f"  {name} " in out for name in (*TARGETS, "club"))


def test_a_profile_of_the_project_is_a_target(folder: Folder, cardgen: Program) -> None:
    small_project(folder)
    folder.write("services/club.yaml", "target: tts\ntitle: Club\ndpi: 40\n")
    outcome = cardgen("export", "club", "--asset-base-url", "https://example.org")
    assert outcome.code == 0
    assert folder.files("output/club")


@pytest.mark.parametrize(
    ("text", "message"), [("target: nothing\ntitle: X\n", "unknown target 'nothing'"), ("a: [\n", "club.yaml")]
)
def test_a_broken_profile_leaves_the_other_targets_alone(
    folder: Folder, cardgen: Program, text: str, message: str
) -> None:
    small_project(folder)
    folder.write("services/club.yaml", text)
    outcome = cardgen("export", "club")
    assert outcome.code == 1
    assert message in outcome.err
    assert cardgen("export", "--help").code == 0
    assert cardgen("export", "tts", "--dpi", "40").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such names")
def test_a_profile_whose_name_leads_elsewhere_writes_nothing(folder: Folder, cardgen: Program) -> None:
    small_project(folder)
    for name in ("..", "con", "tts         Fine\n  evil"):
        folder.write(f"services/{name}.yaml", "target: tts\ntitle: X\n")
    before = folder.files(".")
    for command in ("export", "preflight"):
        for name in ("..", "con"):
            outcome = cardgen(command, name)
            assert outcome.code == 1
            assert f"services/{name}.yaml: error[CG541]: '{name}' cannot be the name of a service" in outcome.err
    assert folder.files(".") == before
    assert "evil" not in cardgen("export", "--help").out


def test_a_link_out_of_the_project_is_not_read(folder: Folder, cardgen: Program, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("target: tts\ntitle: Hidden words\n", encoding="utf-8")
    (folder.root / "services").mkdir()
    (folder.root / "services" / "club.yaml").symlink_to(outside)
    assert "Hidden words" not in cardgen("export", "--help").out
    outcome = cardgen("export", "club")
    assert outcome.code == 1
    assert "points outside the project" in outcome.err


def test_a_kit_and_a_warband_cannot_be_combined(folder: Folder, cardgen: Program) -> None:
    assert cardgen("export", "tts", "--kit", "--warband", "x").code == 2


def test_qty_and_only_apply(folder: Folder, cardgen: Program) -> None:
    small_project(folder)
    result = json.loads(cardgen("export", "tts", "--only", "minion", "--qty", "3", "--dpi", "40", "--json").out)
    assert (result["cards"], result["copies"]) == (5, 15)


def test_pieces_that_fold_are_skipped_and_named(folder: Folder, cardgen: Program) -> None:
    small_project(folder)
    result = json.loads(cardgen("export", "tts", "--kit", "--dpi", "40", "--json").out)
    assert result["cards"] == 6
    assert "skipped cylinder, standee: paper pieces to fold or to fill in" in result["notes"]


def test_options_have_variables(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    small_project(folder)
    monkeypatch.setenv("CARDGEN_EXPORT_TTS_DPI", "40")
    monkeypatch.setenv("CARDGEN_EXPORT_TTS_OUTPUT", "elsewhere")
    assert cardgen("export", "tts").code == 0
    assert folder.files("elsewhere")


def test_some_of_the_cards_have_a_folder_of_their_own(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Ash", "Ember")
    for options in ((), ("--only", "ash"), ("cards/minions.yaml",), ("--only", "ash", "-o", "here")):
        assert cardgen("export", "pcio", "--dpi", "40", *options).code == 0
    assert folder.files("output") == [
        "pcio-selection/warniris-2nd-edition.pcio",
        "pcio/warniris-2nd-edition.pcio",
    ]
    assert folder.files("here")


def test_each_warband_has_a_folder_of_its_own(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Ash", "Ember")
    folder.write("cards/band.yaml", "kind: warband\nname: The Few\nminions: [{minion: ash, qty: 2}]\n")
    for options in ((), ("--warband", "The Few"), ("--warband", "the-few", "--only", "ash")):
        assert cardgen("export", "pcio", "--dpi", "40", *options).code == 0
    folders = {path.split("/")[0] for path in folder.files("output")}
    assert folders == {"pcio", "pcio-the-few", "pcio-the-few-selection"}


def test_changed_cards_have_a_folder_of_their_own(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Ash", "Ember")
    cardgen("release", "v1")
    outcome = cardgen("export", "pcio", "--changed-since", "v1")
    assert outcome.out == "note: no cards to export: none is new or changed its rules since v1\n"
    folder.minions("Ash", "Ember", "Soot")
    outcome = cardgen("export", "pcio", "--dpi", "40", "--changed-since", "v1")
    assert "\n1 card, 1 copy, " in outcome.out
    assert folder.files("output") == ["pcio-since-v1/warniris-2nd-edition-since-v1.pcio"]
    assert cardgen("export", "pcio", "--changes", "words").code == 2
