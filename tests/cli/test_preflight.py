from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.cli.commands import Program
from tests.export.press_tools import profile_path
from tests.target.print.orders import ordered


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_a_target_has_exported_is_accepted(cardgen: Program) -> None:
    ordered("mpc", Path("output/mpc"))
    outcome = cardgen("preflight", "mpc")
    assert (outcome.code, outcome.out.strip()) == (0, "MakePlayingCards: 4 files measured, no problems")


def test_a_folder_with_the_name_of_a_target_is_measured_for_it(cardgen: Program) -> None:
    Path("mpc").mkdir()
    Image.new("RGB", (100, 300)).save("mpc/wrong-front.png")
    outcome = cardgen("preflight", "mpc")
    assert outcome.code == 1
    assert "mpc/wrong-front.png: error[size]" in outcome.out


def test_an_error_ends_with_one_and_names_file_and_check(cardgen: Program) -> None:
    Image.new("RGB", (100, 300)).save("wrong-front.png")
    outcome = cardgen("preflight", ".", "--service", "mpc")
    assert outcome.code == 1
    assert "wrong-front.png: error[size]: 100 x 300 pixels" in outcome.out
    data = json.loads(cardgen("preflight", ".", "--service", "mpc", "--json").out)
    assert (data["command"], data["errors"]) == ("preflight", 1)
    assert data["findings"][0]["check"] == "size"


def test_the_pieces_of_a_press_document_are_proved(cardgen: Program) -> None:
    (path,) = ordered("press", Path("output/press"), profile=str(profile_path()), qty=1).files
    assert cardgen("proof", str(path)).code == 0
    outcome = cardgen("preflight", "press")
    assert (outcome.code, outcome.out.strip().rpartition(", ")[2]) == (0, "no problems")
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        page = document.pages[3]
        page.contents_add(b"q 1 0 0 1 6 0 cm\n", prepend=True)
        page.contents_add(b"\nQ")
        document.save(path)
    outcome = cardgen("preflight", "press")
    assert outcome.code == 1
    assert f"{path} page 4" in outcome.out
    assert "error[back]: the back is 2.12 mm too far" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("missing.pdf", "--service", "press"), "cannot be read"),
        (("missing.pdf",), "which service is the file for?"),
        (("x.pdf", "--service", "pres"), "did you mean 'press'?"),
        (("x.pdf", "--service", "tts"), "not a print service"),
        (("press",), "nothing has been exported for press yet"),
    ],
)
def test_a_mistake_is_explained(cardgen: Program, arguments: tuple[str, ...], words: str) -> None:
    outcome = cardgen("preflight", *arguments)
    assert outcome.code != 0
    assert words in outcome.err
