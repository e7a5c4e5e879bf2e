"""Projects with a game of their own, for tests."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.rulesets.ruleset import Ruleset, ruleset
from cardgen.runtime.workspace import Workspace

HEADER = "game: ember\nname: Ember\nprefix: EM\n"
BRAVE = """
kinds:
  brave:
    size: mini-usa
    fields:
      heat: {type: integer, min: 1, max: 6, label: Heat, code: EM101}
      warms: {type: integer, min: 0, default: 0}
      role: {type: choice, choices: [scout, smith], default: scout}
      saying: {type: text, optional: true}
    example: {heat: 3}
"""
TEMPLATE = """
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
  <cg:text x="4" y="5" width="{{ width - 8 }}" height="9" field="name">{{ card.name }}</cg:text>
  <cg:text x="4" y="18" width="{{ width - 8 }}" height="16" field="heat">{{ card.heat }}</cg:text>
</svg>
"""
THEME = """
colours: {ink: "#2a1a12", paper: "#fbf1e2"}
fonts: {text: Source Sans 3}
styles: {body: {font: text, size: 9}}
"""


def write_game(root: Path, text: str = HEADER + BRAVE, game: str = "ember", **cards: str) -> Path:
    """Write a project with a game and card files, and return its folder."""
    folder = root / "games" / game
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(dedent(text), encoding="utf-8")
    (folder / "templates" / "brave.svg.j2").write_text(_template_for(text), encoding="utf-8")
    (folder / "templates" / "theme.yaml").write_text(THEME, encoding="utf-8")
    (root / "cardgen.yaml").write_text(f"game: {game}\n", encoding="utf-8")
    (root / "cards").mkdir(exist_ok=True)
    for name, card in cards.items():
        (root / "cards" / f"{name}.yaml").write_text(dedent(card), encoding="utf-8")
    return root


def _template_for(text: str) -> str:
    """Return the template of a game, which reads the field 'heat' only if there is one."""
    return TEMPLATE if "heat:" in text else "".join(line for line in TEMPLATE.splitlines(True) if "heat" not in line)


def game_of(root: Path, game: str = "ember") -> Ruleset:
    """Return a game of a project."""
    rules = ruleset(game, Project.find(root).workspace)
    assert isinstance(rules, Ruleset)
    return rules


def findings(root: Path) -> list[str]:
    """Return the findings of a check run in a project: 'FILE:LINE:COLUMN CODE MESSAGE', without the folder."""
    found = check_project(CheckRequest(workspace=Workspace(root))).findings
    lines = (f"{each.diagnostic.place} {each.diagnostic.code} {each.diagnostic.message}" for each in found)
    return [line.replace(f"{root}/", "") for line in lines]
