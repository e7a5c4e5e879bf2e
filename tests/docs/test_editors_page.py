"""The settings of editors start the server as the command is called."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from cardgen import __version__
from cardgen.cli import lsp

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def test_each_editor_starts_the_command() -> None:
    assert lsp.command.name == "lsp"
    helix = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8"))
    assert helix["language-server"]["cardgen"] == {"command": "cardgen", "args": ["lsp"]}
    assert '{ command, "lsp" }' in (EDITORS / "neovim" / "cardgen.lua").read_text(encoding="utf-8")
    assert '[...args, "lsp"]' in (EDITORS / "vscode" / "src" / "extension.ts").read_text(encoding="utf-8")
    assert "`cardgen lsp`" in (EDITORS / "jetbrains" / "README.md").read_text(encoding="utf-8")


def test_the_settings_of_the_extension_are_on_the_page_and_in_its_code() -> None:
    manifest = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    settings = manifest["contributes"]["configuration"]["properties"]
    code = (EDITORS / "vscode" / "src" / "extension.ts").read_text(encoding="utf-8")
    for name in settings:
        assert f"`{name}`" in PAGE
        assert f'"{name.removeprefix("cardgen.")}"' in code
    assert set(manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]) == {"cardgen.command"}
    command = manifest["contributes"]["configuration"]["properties"]["cardgen.command"]
    assert command["scope"] == "machine", "no workspace chooses the program, trusted or not"
    assert all(f'"{each["command"]}"' in code for each in manifest["contributes"]["commands"])


def test_the_extension_has_what_its_manifest_names() -> None:
    folder = EDITORS / "vscode"
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == __version__
    (language,), (grammar,) = manifest["contributes"]["languages"], manifest["contributes"]["grammars"]
    assert grammar["language"] == language["id"]
    for name in (manifest["icon"], language["configuration"], grammar["path"]):
        assert (folder / name).is_file()
    rules = json.loads((folder / grammar["path"]).read_text(encoding="utf-8"))
    assert rules["scopeName"] == grammar["scopeName"]
    included = set(re.findall(r'"include": "#(\w+)"', json.dumps(rules)))
    assert included == set(rules["repository"])
    for pattern in re.findall(r'"(?:match|begin|end)": ("(?:\\.|[^"\\])*")', json.dumps(rules)):
        re.compile(json.loads(pattern))
