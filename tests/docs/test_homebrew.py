"""A maintainer's repository of five projects: what a pull request is told of mistakes, and of harmless changes."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest
import yaml
from PIL import Image

from cardgen.cli import run
from cardgen.project_checks.run import check_project
from cardgen.releases.run import load_commit
from tests.releases.test_run import git

HERE = Path(__file__).parent
SLIPS: list[dict[str, Any]] = yaml.safe_load((HERE / "homebrew_slips.yaml").read_text("utf-8"))
MISTAKES: list[dict[str, Any]] = yaml.safe_load((HERE / "homebrew_mistakes.yaml").read_text("utf-8"))
LOOT = """\
Brass Lamp,2,8,yes,Rub it all you like.
Iron Ring,0,4,no,It fits every thumb.
Silver Comb,0,9,no,Three hairs left.
Old Coin,0,3,no,Two kings ago.
Bag of Salt,3,6,no,Dry at least.
Glass Eye,0,12,yes,It follows you.
Clay Idol,4,18,no,It was smiling before.
Jar of Moths,1,7,yes,Leave it shut.
"""


class Annotation(NamedTuple):
    """What a host shows at a line of a file, or at a cell."""

    severity: str
    file: str
    line: str
    text: str


class Repository(NamedTuple):
    """A repository with a release, and the verdict of a pull request that changes it."""

    root: Path

    def verdict(self, *, fit: bool = False) -> list[Annotation]:
        """Return the annotations of the job for the projects that have changed, and take the changes back."""
        git(self.root, "add", "-A")
        shown = git_output(self.root, "diff", "--cached", "--name-only", "-z", "HEAD").split("\0")
        projects = dict.fromkeys(name.split("/")[0] for name in shown if "/" in name and not name.startswith("."))
        chosen = [word for name in projects for word in ("--project", name)]
        options = ["--changed-since", "HEAD", "--format", "sarif=found.sarif", *(["--fit"] if fit else [])]
        code = run(["check", *chosen, *options])
        results = json.loads((self.root / "found.sarif").read_text("utf-8"))["runs"][0]["results"]
        git(self.root, "reset", "-q", "--hard")
        git(self.root, "clean", "-qfd")
        found = [_annotation(each) for each in results]
        assert code == any(each.severity != "note" for each in found)
        return found


def _annotation(result: dict[str, Any]) -> Annotation:
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    cell = "".join(each["fullyQualifiedName"] for each in location.get("logicalLocations", ()))
    line = cell or str(physical.get("region", {}).get("startLine", ""))
    return Annotation(result["level"], physical["artifactLocation"]["uri"], line, result["message"]["text"])


def git_output(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    """The repository of the club; the projects of its base are checked once."""
    root = tmp_path_factory.mktemp("homebrew") / "repository"
    shutil.copytree(HERE / "homebrew_repository", root)
    (root / ".gitignore").write_text("output/\nfound.sarif\n", "utf-8")
    (root / "ferry" / "art").mkdir()
    Image.radial_gradient("L").resize((900, 900)).save(root / "ferry" / "art" / "aldous.png")
    book = openpyxl.Workbook()
    book.active.title = "Loot"
    book.active.append(["name", "weight", "value", "glow", "motto", "Sum"])
    for name, weight, value, *rest in csv.reader(io.StringIO(LOOT)):
        book.active.append([name, int(weight), int(value), *rest, int(weight) + int(value)])
    book.save(root / "hollow" / "cards" / "loot.xlsx")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.chdir(root / "ferry")
        assert run(["release", "v1.0", "--quiet"]) == 0
        patch.chdir(root)
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "Cards of the club")
        loaded = cache(lambda *given: stack.enter_context(load_commit(*given)))
        before: dict[tuple[Any, ...], Any] = {}

        def check_once(request: Any) -> Any:
            if request.workspace.root.is_relative_to(root):  # the games of the branch
                return check_project(request)
            key = (request.workspace.root, request.fit, request.paths)
            if key not in before:
                before[key] = check_project(request)
            return before[key]

        @contextmanager
        def load_once(*given: Any) -> Iterator[Path]:
            yield loaded(*given)

        patch.setattr("cardgen.releases.findings.load_commit", load_once)
        patch.setattr("cardgen.releases.findings.check_project", check_once)
        yield Repository(root)


def make(root: Path, edit: dict[str, Any]) -> None:
    """Make one edit of a mistake."""
    file = root / edit["file"]
    file.parent.mkdir(exist_ok=True)
    if "deleted" in edit:
        file.unlink()
    elif "picture" in edit:
        Image.new("RGB", (edit["picture"], edit["picture"])).save(file)
    elif "cell" in edit:
        book = openpyxl.load_workbook(file)
        cell = book["Loot"][edit["cell"]]
        cell.value = edit["new"]
        cell.data_type = "e" if edit["new"].startswith("#") else "s"
        book.save(file)
    elif "old" in edit:
        text = file.read_text("utf-8")
        assert edit["old"] in text
        file.write_bytes(text.replace(edit["old"], edit["new"], 1).encode(edit.get("encoding", "utf-8")))
    else:
        file.write_text(edit["new"], "utf-8")


def wanted(root: Path, mistake: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Return the files and lines, or cells, of a mistake that has been made."""
    places = []
    for file, text in (item for each in mistake["at"] for item in each.items()):
        if text is None or file.endswith(".xlsx"):
            places.append((file, text))
        else:
            content = (root / file).read_text(
                next((e["encoding"] for e in mistake["edits"] if "encoding" in e), "utf-8")
            )
            assert text in content, (mistake["title"], text)
            start = content.index(text) + len(text) - len(text.lstrip("\n"))
            places.append((file, str(content.count("\n", 0, start) + 1)))
    return places


def is_told(annotation: Annotation, place: tuple[str, str | None], says: str) -> bool:
    """Return whether an annotation is at a place and says what is to be done."""
    file, line = place
    at = line is None or line == re.split("[!:]", annotation.line)[-1]
    return annotation.file == file and at and bool(re.search(says, annotation.text, re.IGNORECASE))


@pytest.mark.parametrize("number", sorted({each["round"] for each in MISTAKES}))
def test_each_mistake_is_shown_at_its_line_with_its_remedy(repository: Repository, number: int) -> None:
    made = [each for each in MISTAKES if each["round"] == number]
    for edit in (edit for each in made for edit in each["edits"]):
        make(repository.root, edit)
    places = [wanted(repository.root, each) for each in made]
    found = repository.verdict(fit=any(each.get("fit") for each in made))
    missed = [
        each["title"]
        for each, options in zip(made, places, strict=True)
        if not any(is_told(one, place, each["says"]) for one in found for place in options)
    ]
    assert missed == []


@pytest.mark.share(3)
@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["title"])
def test_a_slip_on_its_branch_is_told_with_what_was_there(repository: Repository, slip: dict[str, Any]) -> None:
    """A maintainer can follow the remedy without a manual: what was written before, or what was meant."""
    for edit in slip["edits"]:
        make(repository.root, edit)
    places = wanted(repository.root, slip)
    found = repository.verdict()
    assert any(is_told(one, place, slip["says"]) for one in found for place in places), found


def replace(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, "utf-8", newline="")


def reorder(root: Path) -> None:
    """Put the cards of a file in another order."""
    file = root / "ferry" / "cards" / "relics.yaml"
    head, *cards = file.read_text("utf-8").split("  - name: ")
    file.write_text(head + "".join(f"  - name: {each}" for each in reversed(cards)), "utf-8")


def comment(root: Path) -> None:
    """Add comments, blank lines, trailing spaces, and files of other programs."""
    replace(root / "ferry/cards/characters.yaml", ("format: 1\n", "# By Ann.\n\nformat: 1   \n"))
    (root / "ferry" / "README.md").write_text("# Ferry\n\nkind: relic\n", "utf-8")
    (root / "ferry" / "cards" / "notes.txt").write_text("Ask Ann about the relics.\n", "utf-8")
    (root / "ferry" / "compose.yaml").write_text("services: {web: {image: web}}\n", "utf-8")


def style(root: Path) -> None:
    """Write the same values in other quotes, in blocks, and folded."""
    characters = root / "ferry" / "cards" / "characters.yaml"
    block = "stats:\n      M: 4\n      B: 3\n      S: 3\n      W: 5\n      Mo: 13"
    replace(
        characters,
        ("motto: The toll is the toll.", "motto: 'The toll is the toll.'"),
        ("tags: [ferrymen]", "tags:\n    - ferrymen"),
        ("stats: {M: 4, B: 3, S: 3, W: 5, Mo: 13}", block),
    )
    folded = "motto: >-\n      Turn, push,\n      turn."
    guild = root / "lock" / "cards" / "lock-guild.yaml"
    replace(guild, ("weapons: [Spear]", "weapons:\n    - Spear"), ("motto: Turn, push, turn.", folded))


def rename(root: Path) -> None:
    """Give a card another name, its earlier id, and its name where it is named."""
    replace(
        root / "ferry/cards/characters.yaml",
        ("name: Bett Lowwater", "name: Bett Highwater\n    formerly: bett-lowwater"),
    )
    replace(root / "ferry/cards/warbands.yaml", ("bett-lowwater", "bett-highwater"))


def export(root: Path) -> None:
    """Save a table as Excel does: with a byte-order mark, and lines that end as on Windows."""
    file = root / "hollow" / "cards" / "snares.csv"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))


def invent(root: Path) -> None:
    """Add right cards with unusual names and numbers at the ends of their ranges."""
    (root / "ferry" / "cards" / "new.yaml").write_text(
        'kind: character\nname: "Ønne \'Sjö\' d’Œuvre, the 2nd"\nmotto: "¿Qué? – Nothing."\n'
        "stats: {M: 1, B: 5, S: 1, W: 9, Mo: 6}\nweapons:\n  - Maul (two-handed): CW R1 P2 D2\nabilities:\n"
        "  - name: Slow\n    effects: [{when: attacked, if: {weapon: RW}, attacker: {penetration: -1}}]\n",
        "utf-8",
    )
    nan = "{name: Nan 0-0, calling: warden, might: 1, wits: 1, grit: 8, price: 5, weapons: ['Fists & Feet': R1 D1]}"
    replace(root / "hollow/cards/delvers.yaml", ("cards:\n", f"cards:\n  - {nan}\n"))


def split(root: Path) -> None:
    """Move cards to a file in a folder of their own."""
    file = root / "ferry" / "cards" / "characters.yaml"
    one, other = file.read_text("utf-8").split("  # The Weir Folk.\n")
    file.write_text(one, "utf-8")
    (root / "ferry" / "cards" / "weir").mkdir()
    (root / "ferry" / "cards" / "weir" / "folk.yaml").write_text(
        f"format: 1\nkind: character\ncards:\n{other}", "utf-8"
    )


def separate(root: Path) -> None:
    """Save a table with semicolons, and with its columns in another order."""
    file = root / "hollow" / "cards" / "snares.csv"
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))
    text = io.StringIO()
    writer = csv.DictWriter(text, sorted(rows[0]), delimiter=";", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    file.write_text(text.getvalue(), "utf-8")


def decorate(root: Path) -> None:
    """Give a workbook bold headings, a hidden sheet, and formulas in a column that is not read."""
    file = root / "hollow" / "cards" / "loot.xlsx"
    book = openpyxl.load_workbook(file)
    sheet = book["Loot"]
    for cell in sheet[1]:
        cell.font = openpyxl.styles.Font(bold=True)
    for row in range(2, sheet.max_row + 1):
        sheet[f"F{row}"] = f"=B{row}+C{row}"
    book.create_sheet("Notes").sheet_state = "hidden"
    book["Notes"]["A1"] = "do not read"
    book.save(file)


def retire(root: Path) -> None:
    """Remove a card that no card names, and its id."""
    file = root / "ferry" / "cards" / "minions.yaml"
    file.write_text(re.sub(r"  - name: Bank Archer\n(    .*\n)+", "", file.read_text("utf-8")), "utf-8")
    replace(root / "ferry/cardgen.yaml", ("check:", "retired: [bank-archer]\ncheck:"))


HARMLESS = ((reorder, comment, style, rename, export, invent, split, decorate, retire), (separate,))


@pytest.mark.parametrize("changes", HARMLESS, ids=len)
def test_harmless_changes_are_not_blamed(repository: Repository, changes: tuple[Callable[[Path], None], ...]) -> None:
    for change in changes:
        change(repository.root)
    assert repository.verdict() == []


def raise_price(root: Path) -> None:
    """Raise a price within its limits, in all that depends on it."""
    replace(root / "hollow/cards/delvers.yaml", ("grit: 2, price: 22", "grit: 2, price: 23"))
    replace(root / "lock/cards/otter-band.yaml", ("points: 9\n", "points: 10\n"), ("points: 126", "points: 130"))


def reword(root: Path) -> None:
    """Change a text and its number, with what it is about."""
    replace(
        root / "lock/cards/lock-guild.yaml",
        ("first_bonus: 1", "first_bonus: 3"),
        ("text: +1 Strength in the first", "text: +3 Strength in the first"),
    )
    replace(root / "fen/cards/commands.yaml", ("Deal 2 arcane damage", "Deal 3 arcane damage"))


def recruit(root: Path) -> None:
    """Add a card of a race that nobody else is of, and one that differs from its neighbor in a number."""
    disk = "disk: small, faction: order, cost: 3, attack: 1, counter: 2, toughness: 3, movement: 4"
    replace(root / "fen/cards/disks.yaml", ("cards:\n", f"cards:\n  - {{name: Bittern, race: Marshbirds, {disk}}}\n"))
    replace(root / "hollow/cards/snares.csv", ("Pit,1,1", "Deep Pit,2,2,might,no,Down and down.,Ann\nPit,1,1"))


def indent(root: Path) -> None:
    """Indent a file by other widths, and put maps on lines of their own."""
    file = root / "marsh/cards/tokens.yaml"
    file.write_text(
        "kind: token\ncards:\n    - name: Lit\n      icon: lightbulb\n      qty: 8\n"
        "    - name: Stuck\n      icon: anchor\n      qty: 8\n",
        "utf-8",
    )


def set_paper(root: Path) -> None:
    """Change settings and colors to others that are right."""
    replace(root / "ferry/cardgen.yaml", ("paper: a4", "paper: letter"))
    replace(root / "ferry/templates/warniris/theme.yaml", ('accent: "#2f4d5a"', 'accent: "#334d5a"'))


def widen(root: Path) -> None:
    """Let a game take more than before."""
    replace(root / "hollow/games/hollow/game.yaml", ("min: 5, max: 60", "min: 5, max: 80"))


def sell(root: Path) -> None:
    """Change cells of a workbook within their limits, and add a row."""
    make(root, {"file": "hollow/cards/loot.xlsx", "cell": "C3", "new": "5"})


def trade(root: Path) -> None:
    """Let warbands carry other relics, and other fighters."""
    replace(root / "ferry/cards/warbands.yaml", ("relic: Oilskin", "relic: Eelskin Gloves"))
    replace(
        root / "marsh/cards/bog-kin.yaml", ("It tried.", "It tried twice."), ("tags: [bog-kin]", "tags: [bog-folk]")
    )


def point(root: Path) -> None:
    """Say on another card what a text means."""
    replace(root / "ferry/cards/missions.yaml", ("defaults: {vp: 3}", "defaults: {vp: 3}  # since the spring"))
    replace(root / "ferry/cards/relics.yaml", ("motto: Warm, whatever it is.", "motto: Cold, whatever it was."))


def sort_columns(root: Path) -> None:
    """Sort the rows of a table."""
    file = root / "hollow/cards/snares.csv"
    head, *rows = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([head, *sorted(rows)]) + "\n", "utf-8")


BRANCHES = (raise_price, reword, recruit, indent, set_paper, widen, sell, trade, point, sort_columns)


@pytest.mark.parametrize("change", BRANCHES, ids=lambda change: change.__name__)
def test_a_harmless_branch_is_not_blamed(repository: Repository, change: Callable[[Path], None]) -> None:
    change(repository.root)
    assert repository.verdict() == []


def test_a_comment_that_hides_a_mistake_is_a_note(repository: Repository) -> None:
    """It can be right, and fails no run."""
    replace(
        repository.root / "ferry/cards/relics.yaml",
        ("motto: It whispers.", "motto: It whispers, it it whispers.  # cardgen: ignore[CG201] meant"),
    )
    assert [(each.severity, each.line) for each in repository.verdict()] == [("note", "30")]


def test_the_level_of_the_base_counts(repository: Repository) -> None:
    replace(repository.root / "ferry/cardgen.yaml", ("fail_level: warning", "fail_level: error"))
    assert [each.severity for each in repository.verdict()] == ["warning"]  # and the run fails


def test_an_example_that_a_limit_makes_wrong_is_told_with_the_cards(repository: Repository) -> None:
    replace(
        repository.root / "hollow/games/hollow/game.yaml",
        ("harm: {type: integer, min: 0, max: 4", "harm: {type: integer, min: 0, max: 1"),
    )
    (found,) = repository.verdict()
    assert "changed `max: 4` to `max: 1`; change that back" in found.text


def test_there_are_many_mistakes_and_twenty_harmless_changes() -> None:
    assert len({each["title"] for each in (*MISTAKES, *SLIPS)}) == 131
    assert sum(map(len, HARMLESS)) + len(BRANCHES) == 20
