"""Neovim, with the settings of `editors/neovim`; skipped where it is not installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs cardgen[lsp]")

PACKAGE = Path(__file__).parents[2]
NEOVIM = shutil.which(os.environ.get("NVIM_COMMAND", "nvim"))
SETTINGS = PACKAGE / "editors" / "neovim" / "cardgen.lua"
CARD = "kind: relic\nname: Test Cloak\neffects:\n  - {when: atacked, attacker: {mind: -1}}\ntext: The bearer has +1 \n"
# Asks as Neovim's own commands do, and writes the answers to a file.
PROBE = """
local answers = {}
local function ask(method, line, character, more)
  local at = { line = line, character = character }
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = at, range = { start = at, ["end"] = at } }
  local sent, found = pcall(vim.lsp.buf_request_sync, 0, method, vim.tbl_extend("force", params, more or {}), 20000)
  for _, answer in pairs(sent and found or {}) do
    answers[method] = answer.result
  end
end
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20)
answers.diagnostics = vim.diagnostic.get(0)
ask("textDocument/completion", 4, 24)
ask("textDocument/hover", 3, 6)
ask("textDocument/codeAction", 3, 14, { context = { diagnostics = {} } })
for _, action in pairs(answers["textDocument/codeAction"] or {}) do
  if action.isPreferred then
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  end
end
answers.line = vim.api.nvim_buf_get_lines(0, 3, 4, false)[1]
vim.fn.writefile({ vim.fn.json_encode(answers) }, os.getenv("ANSWERS"))
vim.cmd("qa!")
"""


def run_neovim(project: Path, file: str) -> dict[str, Any]:
    """Open a file in Neovim, and return the answers of the probe."""
    folder = project.parent
    starter, probe, answers = folder / "bin" / "cardgen", folder / "probe.lua", folder / "answers.json"
    starter.parent.mkdir()
    starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardgen "$@"\n', encoding="utf-8")
    starter.chmod(0o755)
    probe.write_text(PROBE, encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{os.environ.get('FIRST_IN_PATH', '')}{starter.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{PACKAGE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "ANSWERS": str(answers),
        **{f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    assert NEOVIM
    command = [NEOVIM, "--headless", "-u", str(SETTINGS), file, "-c", f"luafile {probe}"]
    subprocess.run(command, cwd=project, env=environment, timeout=100, check=True, capture_output=True)
    found: dict[str, Any] = json.loads(answers.read_text(encoding="utf-8"))
    return found


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_no_program_of_the_project_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, marker = tmp_path / "project", tmp_path / "marker"
    project.mkdir()
    planted = project / "cardgen"
    planted.write_text(f"#!/bin/sh\n: > '{marker}'\n", encoding="utf-8")
    planted.chmod(0o755)
    (project / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (project / "cloak.yaml").write_text(CARD, encoding="utf-8")
    monkeypatch.setenv("FIRST_IN_PATH", f".{os.pathsep}{os.pathsep}")
    assert run_neovim(project, "cloak.yaml")["diagnostics"]
    assert not marker.exists()


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_a_card_is_checked_completed_and_fixed(tmp_path: Path) -> None:
    project = tmp_path / "my cards, and more"
    (project / "cards").mkdir(parents=True)
    (project / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (project / "cards" / "cloak.yaml").write_text(CARD, encoding="utf-8")
    answers = run_neovim(project, "cards/cloak.yaml")
    assert any("did you mean 'attacked'?" in each["message"] for each in answers["diagnostics"])
    assert "Body" in [each["label"] for each in answers["textDocument/completion"]["items"]]
    assert "attacked" in answers["textDocument/hover"]["contents"]["value"]
    assert answers["line"] == "  - {when: attacked, attacker: {mind: -1}}"
