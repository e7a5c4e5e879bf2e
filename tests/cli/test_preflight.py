from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from cardgen.cli import main
from tests.target.print.orders import ordered


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["preflight", *arguments])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_a_target_has_exported_is_accepted() -> None:
    ordered("mpc", Path("output/mpc"))
    result = run("mpc")
    assert (result.exit_code, result.output.strip()) == (0, "MakePlayingCards: 4 files measured, nothing to correct")


def test_an_error_ends_with_one_and_names_file_and_check() -> None:
    Image.new("RGB", (100, 300)).save("wrong-front.png")
    result = run(".", "--service", "mpc")
    assert result.exit_code == 1
    assert "wrong-front.png: error[size]: 100 x 300 pixels" in result.output
    data = json.loads(run(".", "--service", "mpc", "--json").output)
    assert (data["command"], data["errors"]) == ("preflight", 1)
    assert data["findings"][0]["check"] == "size"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("missing.pdf", "--service", "press"), "cannot be read"),
        (("missing.pdf",), "which service is the file for?"),
        (("x.pdf", "--service", "pres"), "did you mean 'press'?"),
        (("x.pdf", "--service", "tts"), "not a print service"),
        (("press",), "cannot be read"),
    ],
)
def test_a_mistake_is_explained(arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code != 0
    assert words in result.output + result.stderr
