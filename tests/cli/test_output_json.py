"""Output as JSON: one shape for each command, which docs/json.md lists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from cardgen.cli import commands
from tests.cases import each_case
from tests.cli.commands import Program
from tests.projects import Folder

PAGE = Path(__file__).parent.parent.parent / "docs" / "json.md"
ATTACK = ("attack", "Sentinel", "Rifle", "Brute")
NOTED = "title rulings policy 'not adjudicated' assumed 'no effect'"
# Each command line with the keys of its answer, besides version and command.
SHAPES: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("balance", "--kind", "minion"),
        "ranking pairs gains cycles standings fit groups adjustments adjustment_note teams 'not adjudicated'",
    ),
    (
        ("balance", "--kind", "minion", "--format", "json"),
        "ranking pairs gains cycles standings fit groups adjustments adjustment_note teams 'not adjudicated'",
    ),
    (
        ("build", "--only", "sentinel"),
        "files written removed cards copies sheets seconds unchanged skipped discarded reason stickers unprinted notes "
        "incomplete advice",
    ),
    (("export", "tts", "--dpi", "40"), "target files removed cards copies discarded skipped counts notes next seconds"),
    (("calibrate",), "file"),
    (("calibrate", "--list"), "profiles"),
    (("calibrate", "--printer", "json", "--read", "top=0.5"), "file printer profile"),
    (("check",), "findings files cards checks unmet passed_over unread_texts fixed fixed_files baseline since"),
    (("check", "--explain", "tab"), "manual"),
    (("check", "--diff"), "diff"),
    (("explain",), "cards"),
    (("fix", "--structure", "--diff"), "fixed files diff"),
    (("explain", "--coverage"), "coverage"),
    (("diff", "v1"), "old new counts rulings games languages cards"),
    (("doctor",), "ok requirements"),
    (("duel", "Sentinel", "Brute"), f"{NOTED} tables 'other rulings'"),
    (("export", "cricut"), "target files removed cards copies discarded skipped counts notes next seconds"),
    (("list",), "cards"),
    (("list", "--sizes"), "sizes"),
    (("list", "--sprues"), "sprues"),
    (("list", "--credits"), "credits"),
    (("list", "--art"), "pictures"),
    (("new", "project", "kit"), "files game"),
    (("new", "minion", "Zed"), "files"),
    (("preflight", "side-front.png", "--service", "mpc"), "service files pages errors findings"),
    (("proof", "cards.pdf"), "pieces cut_by uncut pictures errors findings"),
    (("reference", "rules-summary"), "files pages seconds"),
    (("reference", "--list"), "sheets"),
    (("release", "v2"), "file cards unchanged notes"),
    (("roll", "2d6"), "dice seed rolls"),
    (("roll", "2d6", "--odds"), "dice tables"),
    (("rulings",), "rulings"),
    (("show", "Sentinel", "--no-open"), "file"),
    (("translate", "status"), "languages"),
    (ATTACK, f"{NOTED} events outcome seed transcript"),
    ((*ATTACK, "--odds"), f"{NOTED} tables"),
    (("table", "export", "minion", "-o", "minions.csv"), "files cards"),
    ((*ATTACK, "--plot", "odds.svg"), f"{NOTED} tables plot"),
    (("test", "Sentinel", "mind"), f"{NOTED} events outcome seed transcript"),
    (("trial", "test", "Sentinel", "mind", "--odds"), f"{NOTED} tables"),
)
# A page with a TrimBox.
ONE_PIECE = b"""%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Count 1 /Kids [3 0 R]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 280] /TrimBox [10 10 190 270] /Contents 4 0 R>> endobj
4 0 obj <</Length 16>> stream
0 0 200 280 re f
endstream endobj
trailer <</Size 5 /Root 1 0 R>>
"""
NO_JSON = {"battle", "completion", "lsp", "schema", "studio", "trial", "verify"}


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.plain()
    folder.write("releases/v1.yaml", "format: 1\ncards:\ndate: 2026-05-31\n")
    Image.new("RGB", (9, 9)).save("side-front.png")
    Path("cards.pdf").write_bytes(ONE_PIECE)
    weapons = "weapons: [{Rifle: RW R15 P1 D1}]"
    for name in ("Sentinel", "Brute"):
        folder.write(
            f"cards/{name.lower()}.yaml",
            f"kind: minion\nname: {name}\nstats: {{M: 2, B: 2, S: 2, W: 1, Mo: 10}}\n{weapons}\n",
        )
    return folder


each_shape = pytest.mark.parametrize(
    ("arguments", "keys"), SHAPES, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)


def keys_of(text: str) -> set[str]:
    return {quoted or word for quoted, word in re.findall(r"'([^']+)'|(\S+)", text)}


@pytest.mark.parametrize(
    ("arguments", "keys"), SHAPES, ids=lambda value: " ".join(value) if isinstance(value, tuple) else None
)
def test_the_shape_of_an_answer(project: Folder, cardgen: Program, arguments: tuple[str, ...], keys: str) -> None:
    outcome = cardgen(*arguments, "--json")
    assert outcome.code in (0, 1), outcome.err
    data = json.loads(outcome.out)
    name = "test" if arguments[0] == "trial" else arguments[0]
    assert (data.pop("version"), data.pop("command")) == (1, name)
    assert set(data) == keys_of(keys)


@each_case(("arguments", "keys"), SHAPES, ids=lambda value: " ".join(value) if isinstance(value, tuple) else None)
def test_the_page_lists_each_key(arguments: tuple[str, ...], keys: str) -> None:
    name = "attack" if arguments[0] in ("test", "trial") else arguments[0]
    _, _, section = PAGE.read_text(encoding="utf-8").partition(f"\n## {name}")
    section = section.partition("\n## ")[0]
    assert section
    assert [key for key in keys_of(keys) if f"`{key}`" not in section] == []


def test_a_transcript_is_verified_as_json(project: Folder, cardgen: Program) -> None:
    cardgen(*ATTACK, "-o", "a.jsonl")
    data = json.loads(cardgen("verify", "a.jsonl", "--json").out)
    assert (data["valid"], data["finished"], data["secrets"]) == (True, True, False)
    assert data["answers"] >= data["dice"] >= 1
    assert set(json.loads(cardgen("verify", "a.jsonl", "--ruling", "clamp-order=before", "--json").out)) == {
        *("version", "command", "events", "outcome")
    }


def test_every_command_that_answers_has_the_option() -> None:
    names = set(commands.list_commands(None))  # type: ignore[arg-type]
    assert names - {arguments[0] for arguments, _ in SHAPES} <= NO_JSON


def test_problems_are_json_too(project: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--paper", "a44", "--json")
    assert outcome.code == 2
    (problem,) = json.loads(outcome.out)["errors"]
    assert (problem["code"], problem["argument"], problem["severity"]) == ("CG520", "--paper", "error")
    project.write("cards/bad.yaml", "kind: minion\nname: A\nstats: 5\n")
    outcome = cardgen("list", "--json")
    assert outcome.code == 1
    places = [(each["file"], each["line"], each["column"]) for each in json.loads(outcome.out)["errors"]]
    assert places == [("cards/bad.yaml", 3, 8)]
    assert "cards/bad.yaml:3:8" in outcome.err


def test_a_name_that_is_not_unicode_can_be_printed(project: Folder, cardgen: Program) -> None:
    try:
        project.write("cards/b\udcffd.yaml", (project.root / "cards/brute.yaml").read_text().replace("Brute", "Bad"))
    except OSError:
        pytest.skip("the file system takes only Unicode")
    cards = json.loads(cardgen("list", "--json").out)["cards"]
    assert any("b\\xffd.yaml" in card["place"] or "b\udcffd.yaml" in card["place"] for card in cards)


def test_questions_do_not_mix_with_the_answer(
    project: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.prompt", lambda *_, **options: "3" if options["err"] else "")
    outcome = cardgen("test", "Sentinel", "mind", "--ask", "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["seed"] is None
