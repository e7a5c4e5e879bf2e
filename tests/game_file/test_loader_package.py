"""A Python package may describe its game in a game.yaml, and add to it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.deck.deck import load_content
from cardgen.diagnostic import CardgenError
from cardgen.game_file.loader import game_from_file, load_game
from cardgen.matches.session import with_referee
from cardgen.print.request import BuildRequest
from cardgen.project.project import Project
from cardgen.project_checks import services
from cardgen.rulesets import ruleset
from cardgen.runtime import workspace
from cardgen.runtime.fingerprint import PACKAGE
from cardgen.runtime.workspace import ProjectGame
from tests.game_file.games import BRAVE, HEADER, THEME, findings, game_of

CHECK = """
checks:
  cold: {code: EM301, kind: brave, when: warms > heat, say: it is cold, why: Because., wrong: {warms: 9}, right: {}}
"""
TRIALS = """
trials:
  warm: {asks: {brave: {type: card, kind: brave}}, steps: [{end: warm}]}
  sleep: {steps: [{end: asleep}]}
"""
FILES = {
    "game.yaml": HEADER + BRAVE + CHECK + TRIALS,
    "sheets/summary.yaml": "title: Ember\nsections: []\n",
    "__init__.py": """
from cardgen.game import Card, Kind, game_from_file

class Stove(Card):
    "A place."
    KIND = "stove"

RULESET = game_from_file(
    __name__,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.trials",
    reference=f"{__name__}.sheets",
    kinds=(Kind(Stove, "mini-usa", generic="shared/plain"),),
    template_functions={"shout": str.upper},
)
""",
    "checks/__init__.py": "",
    "checks/loud.py": '''
"""A name in capitals.

Why is this bad?
    It is loud.
"""

from cardgen.game import Card, CheckContext, Confidence, Finding, Findings, Severity
from ember_game import RULESET

CODE, NAME, SEVERITY, CONFIDENCE = "EM302", "loud", Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = RULESET.kinds["brave"].model

def find(brave: Card, context: CheckContext) -> Findings:
    if brave.name.isupper():
        yield Finding("it is loud", ("name",))
''',
    "trials.py": """
from dataclasses import dataclass
from cardgen.game import GameTrials, PreparedTrial, RulesConfig, Trial

@dataclass(frozen=True)
class Sleep:
    "Someone sleeps."

def set_up(situation: Sleep, config: RulesConfig) -> PreparedTrial:
    raise ValueError("nobody sleeps")

TRIALS = GameTrials({"sleep": Trial.of(set_up), "snore": Trial.of(set_up)}, (), ("brave",), lambda *_: iter(()))
""",
    "sheets.py": """
from pathlib import Path
from cardgen.game import ContentProvider, NoOptions, ReferenceContent

REFERENCE = ReferenceContent(
    Path(__file__).with_name("sheets"), {"odds": ContentProvider(lambda *_: iter(()), "odds", NoOptions)}
)
""",
    "templates/brave.svg.j2": """
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
  <cg:text x="4" y="5" width="40" height="9" field="name">{{ shout(card.name) }}, {{ card.heat }}</cg:text>
</svg>
""",
    "templates/theme.yaml": THEME,
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with the game 'ember', and a project that uses it."""
    folder = tmp_path / "site" / "ember_game"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    project = tmp_path / "project"
    (project / "cards").mkdir(parents=True)
    (project / "cardgen.yaml").write_text("game: ember\n", encoding="utf-8")
    (project / "cards" / "a.yaml").write_text("kind: brave\nname: ASH\nheat: 2\nwarms: 3\n", encoding="utf-8")
    monkeypatch.chdir(project)
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(workspace, "game_locations", lambda: {"ember": "ember_game:RULESET"})
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "ember_game"]:
        del sys.modules[name]
    ruleset.installed_ruleset.cache_clear()
    services.registry_of.cache_clear()


def test_checks_of_the_file_and_of_python_run(package: Path) -> None:
    assert findings(Path.cwd()) == ["cards/a.yaml:1:1 EM301 it is cold", "cards/a.yaml:2:7 EM302 it is loud"]


def test_templates_are_in_the_package_and_call_its_functions(package: Path) -> None:
    assert Project.find().template_folders()[0].path == package / "templates"
    assert [path.name for path in build(BuildRequest()).files] == ["ember-brave-a4.pdf"]
    (package / "templates" / "brave.svg.j2").write_text("<svg>{{ whisper(card.name) }}</svg>", encoding="utf-8")
    with pytest.raises(CardgenError, match="whisper"):
        build(BuildRequest())


def test_trials_of_python_are_added_and_replace_those_of_the_file(package: Path) -> None:
    _, trials = with_referee(game_of(Path.cwd()))
    assert list(trials.trials) == ["warm", "sleep", "snore"]
    assert trials.trials["sleep"].situation.__name__ == "Sleep"
    assert trials.fighters == ("brave",)


def test_sheets_show_what_both_provide(package: Path) -> None:
    content = load_content(game_of(Path.cwd()))
    assert set(content.content_providers) == {"cards", "texts", "odds"}
    assert content.sheets == package / "sheets"


def test_kinds_of_python_follow_those_of_the_file(package: Path) -> None:
    rules = game_of(Path.cwd())
    assert (rules.id, list(rules.kinds)) == ("ember", ["brave", "stove"])
    with pytest.raises(ValueError, match="duplicate kind 'brave'"):
        game_from_file("ember_game", kinds=(rules.kinds["brave"],))


def test_a_file_is_enough(package: Path) -> None:
    (package / "__init__.py").write_text(
        "from cardgen.game import game_from_file\nRULESET = game_from_file(__name__)\n", encoding="utf-8"
    )
    assert findings(Path.cwd()) == ["cards/a.yaml:1:1 EM301 it is cold"]


def test_mistakes_in_the_file_are_located(package: Path) -> None:
    (package / "game.yaml").write_text(HEADER + "kindz: {}\n", encoding="utf-8")
    with pytest.raises(CardgenError, match=r"ember_game/game.yaml:4:1: .*unknown key 'kindz'"):
        game_of(Path.cwd())


OWN_FILES = sorted(PACKAGE.glob("rulesets/*/game.yaml"))


@pytest.mark.parametrize("file", OWN_FILES, ids=lambda file: file.parent.name)
def test_the_files_of_the_program_have_no_mistakes_although_no_run_looks_for_them(file: Path) -> None:
    assert load_game(ProjectGame(file, file.name)).kinds


def test_files_of_other_packages_are_searched_for_mistakes(package: Path) -> None:
    game = package / "game.yaml"
    game.write_text(game.read_text(encoding="utf-8").replace("warms > heat", "warmth > heat"), encoding="utf-8")
    with pytest.raises(CardgenError) as raised:
        ruleset.ruleset("ember")
    assert "unknown name 'warmth'" in raised.value.diagnostics[0].message
