"""Checks of a project in which only some files changed find the same as checks of all of its files."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardgen.checking.check import parse_page
from cardgen.deck import card_index
from cardgen.model import deck as decks
from cardgen.model.card import Entry
from cardgen.model.deck import FileCards
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.project_checks import kept_findings
from cardgen.project_checks.services import all_checks
from cardgen.runtime import fingerprint
from cardgen.runtime.user_folders import cache_folder
from tests.benchmarks.decks import characters
from tests.cases import each_case
from tests.cli.commands import Outcome, Program
from tests.projects import BACK, FRONT, Folder
from tests.random_cases import dice_for, number_of_cases
from tests.text.made_fonts import postscript_font

ROOT = Path(__file__).parents[2]
WRONG = ROOT / "tests" / "checking" / "cards"
OWN_GAME = ROOT / "examples" / "bramble-watch"
LEVY = "kind: minion\nname: Levy\nstats: {M: 1, B: 2, S: 1, W: 1, Mo: 9}\nweapons: [Fork: CW R1 P0 D1]\n"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
TYPO = 'text: "When its bearer is hit, the the attacker is blinded."\n'


@pytest.fixture
def project(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A project of Characters, of which findings are kept although its files are new."""
    for module in (card_index, kept_findings):
        monkeypatch.setattr(module, "SETTLED_NS", -(10**9))
    monkeypatch.setattr(fingerprint, "MOST_FILES", 0)  # no report is kept
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.root.parent / "cache"))
    folder.write("cardgen.yaml", "game: warniris\n")
    for number, (name, keys) in enumerate(characters(5)):
        folder.write(f"cards/{number}.yaml", f"kind: character\ncards:\n  - name: {name}\n{keys}")
    folder.write("cards/levy.yaml", LEVY)
    folder.write("cards/stone.yaml", f"kind: relic\nname: Sun Stone\n{TYPO}")
    return folder


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read, in order."""
    names: list[str] = []
    read_file = decks._read_file

    def spy(project: Project, file: Path, *given: Any) -> FileCards:
        names.append(file.name)
        return read_file(project, file, *given)

    monkeypatch.setattr(decks, "_read_file", spy)
    return names


def check(program: Program, *words: str) -> Outcome:
    return program("check", "--format", "json", "--show-all", "--statistics", *words)


def same_as_before(program: Program, *words: str) -> Outcome:
    outcome = check(program, *words)
    assert outcome == check(program, "--no-cache", *words)
    return outcome


def test_only_the_file_that_changed_is_read(project: Folder, program: Program, read: list[str]) -> None:
    first = check(program)
    assert "repeated word 'the'" in first.out
    assert {"0.yaml", "levy.yaml", "stone.yaml"} <= {*read}
    read.clear()
    assert check(program) == first
    assert not {name for name in read if (project.root / "cards" / name).exists()}
    project.write("cards/levy.yaml", LEVY + "motto: Here.\n")
    read.clear()
    assert check(program) == first
    assert {name for name in read if (project.root / "cards" / name).exists()} == {"levy.yaml"}
    assert first == check(program, "--no-cache")


def test_rules_for_backs_look_at_all_cards(project: Folder, program: Program) -> None:
    project.write(
        "cardgen.yaml", "game: warniris\nback: [{back: back.svg, kind: relic}, {back: back.svg, tag: levy}]\n"
    )
    project.write("back.svg", PICTURE)
    project.write("cards/levy.yaml", LEVY + "tags: [levy]\n")
    assert "no card" not in check(program).out
    project.write("cards/0.yaml", LEVY.replace("Levy", "Spear"))
    assert "no card" not in same_as_before(program).out
    (project.root / "cards/levy.yaml").unlink()
    assert "no card matches this rule" in same_as_before(program).out


def test_what_a_check_looks_up_counts(project: Folder, program: Program, read: list[str]) -> None:
    project.write("cards/stone.yaml", "kind: relic\nname: Stone\neffects: [{when: turn_start, friends: {heal: 12}}]\n")
    for number in range(5):
        (project.root / f"cards/{number}.yaml").unlink()
    assert "12 Wounds are healed" in check(program).out
    project.write("cards/levy.yaml", LEVY.replace("W: 1", "W: 20"))
    read.clear()
    assert "12 Wounds are healed" not in same_as_before(program).out
    assert "stone.yaml" in read


def test_templates_and_pictures_are_looked_at_again_only_if_these_or_their_samples_change(
    project: Folder, program: Program, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    render = CardRenderer.render_faces

    def spy(self: CardRenderer, entry: Entry, *, backs: bool) -> Any:
        drawn.append(entry.card.id)
        return render(self, entry, backs=backs)

    monkeypatch.setattr(CardRenderer, "render_faces", spy)
    project.plain().write("art/moon.svg", PICTURE)
    project.write("cards/spear.yaml", LEVY.replace("Levy", "Spear").replace("D1", "D2"))
    first = check(program)
    assert "no card uses this picture" in first.out
    assert drawn == ["levy"]
    project.write("cards/spear.yaml", LEVY.replace("Levy", "Spear").replace("D1", "D3"))
    read.clear()
    assert check(program) == first
    assert (drawn, {name for name in read if (project.root / "cards" / name).exists()}) == (["levy"], {"spear.yaml"})
    project.write("cards/levy.yaml", f"{LEVY}art: art/moon.svg\n")
    assert "no card uses this picture" not in same_as_before(program).out
    assert drawn == ["levy"] * 3
    project.write("templates/warniris/minion.svg.j2", FRONT.replace("card.name", "card.nmae"))
    assert "nmae" in same_as_before(program).out
    assert "nmae" in same_as_before(program).out


@each_case(
    "name, content",
    [
        ("cardgen.yaml", "game: warniris\ncheck: {ignore: [doubled-word]}\n"),
        ("cards/second.yaml", LEVY),
        ("cards/second.yaml", LEVY.replace("Levy", "Spear")),
        ("cards/levy.yaml", "cards: ["),
        ("cards/levy.yaml", f"# cardgen: ignore[near-duplicate] so it is\n{LEVY}"),
        ("cards/band.yaml", "kind: warband\nname: Few\nmembers: [{character: iron-warden}]\n"),
        ("art/levy.png", "no picture"),
    ],
)
def test_what_is_wrong_with_any_file_counts(name: str, content: str, project: Folder, program: Program) -> None:
    check(program)
    shutil.copytree(project.root, project.root.parent / "before", dirs_exist_ok=True)
    project.write(name, content)
    same_as_before(program)
    same_as_before(program)
    shutil.rmtree(project.root)
    shutil.copytree(project.root.parent / "before", project.root)


def test_hidden_and_built_pictures_and_hidden_fonts_count(project: Folder, program: Program) -> None:
    fonts = project.root / "fonts"
    fonts.mkdir()
    postscript_font(fonts / ".own.otf")
    project.plain().write("templates/warniris/theme.yaml", "fonts: {text: Squares}\n")
    names = (".art/moon.svg", "art/.moon.svg", "output/moon.svg")
    for number, name in enumerate(names):
        project.write(name, PICTURE)
        project.write(f"cards/{number}.yaml", f"{LEVY.replace('Levy', f'Spear {number}')}art: ../{name}\n")
    first = check(program)
    assert "missing-art" not in first.out
    assert check(program) == first
    for number, name in enumerate(names, 1):
        (project.root / name).unlink()
        assert check(program).out.count('"name": "missing-art"') == number
    (fonts / ".own.otf").unlink()
    assert "unknown font family 'Squares'" in same_as_before(program).out


def test_findings_of_somebody_else_are_not_used(project: Folder, program: Program, read: list[str]) -> None:
    outcome = check(program)
    for file in (cache_folder() / "index").iterdir():
        file.write_bytes(bytes(32) + file.read_bytes()[32:])
    read.clear()
    assert check(program) == outcome
    assert "0.yaml" in read


@cache
def material(game: str, *, right: bool) -> tuple[str, ...]:
    """Texts of card files of a game: right ones of checks and its kit, or wrong ones of checks and of tests."""
    pages = [parse_page(each.page) for each in all_checks().checks if each.game in ("", game)]
    examples = [text for page in pages for text in (page.instead if right else page.examples)]
    wrong = [path for path in sorted(WRONG.glob("*.yaml")) if path.stem not in ("latin-1", "utf-16")]
    texts = [
        path.read_text(encoding="utf-8") for path in (sorted((ROOT / "cards" / game).glob("*")) if right else wrong)
    ]
    own = [text for text in texts if ("game:" in text and game in text) or game == "warniris"]
    return tuple(text for text in (*examples, *own) if "kind:" in text and len(text) < 6_000)


def some(game: str, word: str, dice: random.Random) -> str:
    """The text of a card file, whose cards have names of their own, and which is mostly right."""
    return renamed(dice.choice(material(game, right=dice.random() < 0.8)), word)


def renamed(text: str, word: str) -> str:
    """The text of a card file whose cards have names of their own, unlike those of other files."""
    names = {name.strip() for name in re.findall(r"\bname: ([A-Z][\w' -]*)", text)}
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", f"{name} {word}", text)
        text = text.replace(f"{name} {word} {word}", f"{name} {word}")
    return text


Edit = Callable[[Folder, Path, random.Random, str], object]
WORDS = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel", "Ivy")


def _numbers(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    text = file.read_text(encoding="utf-8")
    parts = re.split(r"(?<![\w.])(\d)(?![\w.])", text)
    if len(parts) > 1:
        at = dice.randrange(1, len(parts), 2)
        parts[at] = str(max(0, int(parts[at]) + dice.choice((-1, 1, 3))))
    file.write_text("".join(parts), encoding="utf-8")


def _copy(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    folder.write(f"cards/{dice.choice(WORDS)}.yaml", file.read_bytes())


def _replaced(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    file.write_text(some(game, dice.choice(WORDS), dice), encoding="utf-8")


def _settings(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    others = (
        "check: {ignore: [CG2]}\n",
        "art: auto\n",
        "theme: nothing\n",
        "back: [{back: art/x.png, tag: y}]\n",
        "kinds: {relic: {fields: {rarity: {type: text, optional: true}}}}\n",
    )
    own = "bramble-watch" if game == "own" else game
    folder.write("cardgen.yaml", dice.choice((*(f"game: {own}\n{each}" for each in ("", "", *others)), "game: [")))


def _picture(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    pictures = [*(folder.root / "art").glob("*.svg")]
    if pictures and dice.random() < 0.5:
        dice.choice(pictures).unlink()
    else:
        folder.write(f"art/{dice.choice(WORDS).lower()}.svg", dice.choice(("<svg", PICTURE)))


def _template(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    name = dice.choice((FRONT, BACK, FRONT.replace("}}", "}", 1)))
    kind = dice.choice(("relic", "minion", "disk", "ability", "fighter", "warrior"))
    if dice.random() < 0.5:
        shutil.rmtree(folder.root / "templates", ignore_errors=True)
    else:
        folder.write(f"templates/{game}/{kind}{dice.choice(('', '.back'))}.svg.j2", name)


def _game(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    for path in folder.root.glob("games/*/game.yaml"):
        text = (OWN_GAME / "games" / "bramble-watch" / "game.yaml").read_text(encoding="utf-8")
        numbers = [*re.finditer(r"\b\d\b", text)]
        at = dice.choice(numbers)
        path.write_text(f"{text[: at.start()]}{int(at[0]) + 1}{text[at.end() :]}", encoding="utf-8")


def _line(folder: Folder, file: Path, dice: random.Random, game: str) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    at = dice.randrange(len(lines))
    match dice.choice("drs#c"):
        case "d":
            del lines[at]
        case "r":
            lines.insert(at, lines[at])
        case "s":
            lines.append("# cardgen: ignore[CG201] the poem has it so")
        case "#":
            lines[at] += "  # so"
        case _:
            lines[at] = lines[at].replace(":", "", 1)
    file.write_text("\n".join(lines), encoding="utf-8")


EDITS: dict[str, tuple[int, Edit]] = {
    "numbers": (6, _numbers),
    "line": (3, _line),
    "replace": (3, _replaced),
    "move": (1, lambda folder, file, dice, game: file.rename(file.with_name(f"{dice.choice(WORDS)}.yaml"))),
    "copy": (1, _copy),
    "delete": (1, lambda folder, file, dice, game: file.unlink()),
    "settings": (1, _settings),
    "picture": (1, _picture),
    "template": (1, _template),
    "game": (1, _game),
}


def mend(folder: Folder, dice: random.Random, game: str) -> None:
    """Make a new project of right and wrong cards."""
    for path in [*folder.root.iterdir()]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if game == "own":
        shutil.copytree(OWN_GAME, folder.root, dirs_exist_ok=True)
        if dice.random() < 0.7:
            shutil.rmtree(folder.root / "games" / "bramble-watch" / "templates")
        for file in sorted((folder.root / "cards").iterdir()):
            head, *cards = re.split(r"(?m)^(?=  - )", file.read_text(encoding="utf-8"))
            for number, card in enumerate(cards):
                folder.write(f"cards/{file.stem}-{number}.yaml", head + card)
            file.unlink()
        return
    folder.write("cardgen.yaml", f"game: {game}\n")
    for word in WORDS[: dice.choice((4, 6, 7))]:
        folder.write(f"cards/{word.lower()}.yaml", some(game, word, dice))


@pytest.mark.fuzz
@each_case("game", os.environ.get("GAMES", "warniris warcry skirmish diskwars own").split())
def test_after_any_edits_the_findings_are_the_same(game: str, project: Folder, program: Program) -> None:
    dice, found, recalled = dice_for(f"kept findings of {game}"), set[str](), 0
    names = [name for name, (weight, _) in EDITS.items() for _ in range(weight)]
    with pytest.MonkeyPatch.context() as patch:
        unchanged = kept_findings.KeptFindings.unchanged

        def counted(self: Any, *given: Any) -> Iterator[Path]:
            nonlocal recalled
            for file in unchanged(self, *given):
                recalled += 1
                yield file

        patch.setattr(kept_findings.KeptFindings, "unchanged", counted)
        for number in range(number_of_cases(3, 0.02)):
            files = [*(project.root / "cards").glob("*.yaml")]
            if number % 12 == 0 or not files:
                mend(project, dice, game)
                files, done = [*(project.root / "cards").glob("*.yaml")], ["mend"]
            else:
                done = [dice.choice(names) for _ in range(dice.choice((1, 1, 2)))]
                for name in done:
                    if files := sorted((project.root / "cards").glob("*.yaml")):
                        EDITS[name][1](project, dice.choice(files), dice, game)
            if not (project.root / "cards").exists():
                continue
            outcome = check(program)
            assert outcome.code < 3, outcome.err
            assert outcome == check(program, "--no-cache"), (game, number, done)
            if os.environ.get("FUZZ_LOG"):
                Path(os.environ["FUZZ_LOG"]).write_text(f"{game} {number} {recalled}\n", encoding="utf-8")
            found.update(re.findall(r'"code": "(\w+)"', outcome.out))
    print(f"{game}: {number} edits, {recalled} files recalled, {len(found)} checks found something")
    assert number < 20 or (found and recalled)
