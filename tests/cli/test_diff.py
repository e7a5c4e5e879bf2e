from __future__ import annotations

import json
from time import process_time

import pytest

from cardgen.deck.release_file import read_release, release_text
from cardgen.releases.changes import compare
from cardgen.releases.snapshot import Release, ReleasedCard
from tests.cli.commands import Program
from tests.projects import Folder


@pytest.fixture
def project(folder: Folder) -> Folder:
    return folder.plain().minions("Ash", "Ember")


def test_the_reports_name_changed_cards_only(project: Folder, cardgen: Program) -> None:
    written = cardgen("release", "v1")
    assert (written.code, written.out) == (0, "releases/v1.yaml: 2 cards\nno notes: there is no release before v1\n")
    assert cardgen("diff", "v1", "--fail-on", "looks").code == 0
    project.minions("Ash", "Ember", more=", motto: 'A [b] @c'").write(
        "cards/more.yaml", "kind: minion\nname: Ash\nid: more\nstats: {M: 1, B: 1, S: 1, W: 1, Mo: 1}\n"
    )
    text = cardgen("diff", "v1")
    assert text.code == 0
    assert "  Ash (minion ash)\n    motto: none → A [b] @c\n" in text.out
    assert text.out.endswith("v1 → working tree: 1 new, 2 only words changed\n")
    data = json.loads(cardgen("diff", "v1", "--json").out)
    assert [(each["id"], each["change"]) for each in data["cards"]] == [
        ("more", "new"),
        ("ash", "words"),
        ("ember", "words"),
    ]
    assert data["counts"]["rules"] == 0
    markdown = cardgen("diff", "v1", "--format", "markdown").out
    assert "- **Ash** \\(minion ash\\)\n  - motto: none → A \\[b\\] @&#8203;c\n" in markdown


def test_a_page_is_written_to_a_file(project: Folder, cardgen: Program) -> None:
    cardgen("release", "v1")
    project.minions("Ash", "Ember", more=", motto: Hi")
    outcome = cardgen("diff", "v1", "--format", "html")
    assert (outcome.code, outcome.out) == (0, "output/diff.html\n")
    assert (project.root / "output" / "diff.html").read_bytes().startswith(b"<!DOCTYPE html>")


def test_a_gate_is_in_the_report_and_fails(project: Folder, cardgen: Program) -> None:
    cardgen("release", "v1")
    project.minions("Ash", more=", motto: Hi")
    outcome = cardgen("diff", "v1", "--format", "markdown", "--fail-on", "rules", "--max-balance-shift", "5%")
    assert outcome.code == 1
    assert "### Not allowed\n\n- Ember: gone\n" in outcome.out
    assert outcome.err == "not allowed: Ember: gone\n"
    assert cardgen("diff", "v1", "--max-balance-shift", "much").code == 2
    assert cardgen("diff", "v1", "--max-balance-shift", "5%", "--no-odds").code == 2


@pytest.mark.parametrize(
    ("file", "start"), [("p.html", "<!DOCTYPE html>"), ("p.json", '{\n  "version": 1,'), ("p.md", "#"), ("p.txt", "")]
)
def test_the_suffix_of_the_file_is_its_format(project: Folder, cardgen: Program, file: str, start: str) -> None:
    cardgen("release", "v1")
    project.minions("Ash", "Ember", more=", motto: Hi")
    outcome = cardgen("diff", "v1", "-o", file)
    assert (outcome.code, outcome.out) == (0, f"{file}\n")
    text = (project.root / file).read_text(encoding="utf-8")
    assert text.startswith(start)
    assert "Ember" in text
    assert "unknown format '.doc'" in cardgen("diff", "v1", "-o", "p.doc").err


@pytest.mark.parametrize(
    ("edit", "fails"), [("stats", "rules words looks"), ("motto", "words looks"), ("size", "looks")]
)
def test_fail_on(project: Folder, cardgen: Program, edit: str, fails: str) -> None:
    cardgen("release", "v1")
    more = {"stats": "", "motto": ", motto: Hi", "size": ", size: jumbo"}[edit]
    project.minions("Ash", "Ember", more=more)
    if edit == "stats":
        path = project.root / "cards" / "minions.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace("Mo: 10", "Mo: 11"), encoding="utf-8")
    assert cardgen("diff", "v1").code == 0
    assert [
        name for name in ("rules", "words", "looks") if cardgen("diff", "v1", "--fail-on", name).code
    ] == fails.split()


def test_an_unknown_release_is_a_usage_error(project: Folder, cardgen: Program) -> None:
    cardgen("release", "v1")
    outcome = cardgen("diff", "v2")
    assert outcome.code == 2
    assert outcome.err.startswith("OLD: error[CG546]: unknown release 'v2'")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format: 1", "format: 2", r"v1.yaml:2:1: error[CG547]: unknown format 2 (must be 1)"),
        ("cards:", "<<<<<<< HEAD\ncards:", "v1.yaml:3:1: error[CG024]: mark of a merge conflict"),
        ("  qty: 1\n", "", "missing key 'qty'"),
        ("  qty: 1\n", "  qty: one\n", "'qty' must be a whole number"),
        ("  qty: 1\n", "  qty: 1\n  qty: 1\n", "duplicate key 'qty'"),
        ("  qty: 1\n", "  qty: 1\n  more: 1\n", "unknown key 'more'"),
        ("- id: ember", "- id: ash", "duplicate id 'ash'"),
        ("- id: ember", '- id: "../../ember"', "'id' must be lowercase letters, digits, and hyphens"),
        ("  qty: 1\n", "  qty: -5\n", "not one that a card can have"),
        ('"Ember"', f'"{"x" * 81}"', "not one that a card can have"),
        ("  values:\n", f'  values:\n    "{"a/" * 999}b": 1\n', "the key is longer than that of any card"),
        ("cards:\n", "", "unexpected line"),
    ],
)
def test_a_broken_release_file(project: Folder, cardgen: Program, old: str, new: str, message: str) -> None:
    cardgen("release", "v1")
    path = project.root / "releases" / "v1.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    outcome = cardgen("diff", "v1")
    assert outcome.code == 1
    assert message in outcome.err


def test_a_new_weapon_does_not_list_zeros_that_are_defaults(project: Folder, cardgen: Program) -> None:
    cardgen("release", "v1")
    project.minions("Ash", "Ember", more=", weapons: [{Fist: CW R1 P1 D1}]")
    lines = cardgen("diff", "v1", "--no-odds").out
    assert "weapons Fist damage: none → 1" in lines
    assert "→ 0" not in lines


@pytest.mark.parametrize("text", ["", "format: 1\n", "cards:\n"])
def test_a_file_that_lost_its_lines(project: Folder, cardgen: Program, text: str) -> None:
    project.write("releases/v1.yaml", text)
    assert "does not have the lines 'format: 1' and 'cards:'" in cardgen("diff", "v1").err


CUT = "the file is cut off: its last line must be its date, such as 'date: 2026-05-31'"


def test_a_file_that_was_cut_off(project: Folder, cardgen: Program) -> None:
    cardgen("release", "v1")
    path = project.root / "releases" / "v1.yaml"
    text = path.read_text(encoding="utf-8")
    last = text.index("stats/wounds", text.index("id: ember"))
    for end in (len(text) - 2, text.index("date: "), text.index("date: ") + 8, last, last + 20):
        path.write_text(text[:end], encoding="utf-8")
        outcome = cardgen("diff", "v1")
        assert (outcome.code, CUT in outcome.err) == (1, True), text[end - 20 : end]
        assert f"v1.yaml:{len(text[:end].rstrip().splitlines())}:1: error[CG547]" in outcome.err


def test_an_editor_added_a_byte_order_mark(project: Folder, cardgen: Program) -> None:
    cardgen("release", "v1")
    path = project.root / "releases" / "v1.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert cardgen("diff", "v1").out == "v1 → working tree: no cards changed\n"


def test_a_folder_is_not_a_release(project: Folder, cardgen: Program) -> None:
    (project.root / "releases" / "v2.yaml").mkdir(parents=True)
    assert "did you mean" not in cardgen("diff", "v2").err


def card(number: int, damage: int) -> ReleasedCard:
    values = {f"weapons/{index}/{key}": damage for index in range(3) for key in ("range", "damage", "penetration")}
    names = (f"card-{number}", f"Card {number}", 1, f"{damage:016x}", "0" * 16)
    return ReleasedCard("warniris", "character", *names, {"size": "63 x 88 mm"}, values, {"motto": 'Höh: "x"\u2028#'})


def release(name: str, damage: int) -> Release:
    return Release(name, {}, tuple(sorted((card(number, damage) for number in range(1000)), key=lambda each: each.id)))


def test_a_thousand_cards_take_little_time(folder: Folder) -> None:
    old, new = (release(*each) for each in (("v1", 1), ("v2", 2)))
    paths = [folder.write(f"releases/{each.name}.yaml", release_text(each, "2026-05-31")) for each in (old, new)]
    started = process_time()
    releases = [read_release(path, path.stem) for path in paths]
    changes = compare(releases[0], releases[1])
    assert process_time() - started < 5  # The benchmarks say how quick it is.
    assert releases == [old, new]
    assert [each.change for each in changes.cards] == ["rules"] * 1000
