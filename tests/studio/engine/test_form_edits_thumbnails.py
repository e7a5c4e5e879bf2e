"""Thumbnails of the project's pictures, and of no other file."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from cardgen.studio.engine.remote import Engine

CARD = "kind: relic\nname: Lamp\nart: \ntext: Light.\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    root = tmp_path / "project"
    (root / "cards" / "art").mkdir(parents=True)
    (root / "art").mkdir()
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (root / "cards" / "lamp.yaml").write_text(CARD, encoding="utf-8")
    Image.new("RGB", (300, 300), "red").save(root / "cards" / "art" / "lamp.png")
    (root / "art" / "oak.svg").write_text(SVG, encoding="utf-8")
    Image.new("RGB", (9, 9)).save(tmp_path / "secret.png")
    monkeypatch.chdir(root)
    return Engine(str(root))


def test_pictures_to_choose_from_have_thumbnails(engine: Engine) -> None:
    options = engine.form.options("cards/lamp.yaml", CARD, ("art",), "")
    addresses = {each["label"]: each["picture"].partition("&")[0] for each in options if each["kind"] == "file"}
    assert addresses == {
        "art/lamp.png": "/thumbnail?file=cards%2Fart%2Flamp.png",
        "art/oak.svg": "/thumbnail?file=art%2Foak.svg",
    }


def test_thumbnails_are_small_pictures_and_svg_files(engine: Engine) -> None:
    small = engine.thumbnails.picture("cards/art/lamp.png")
    assert small.media_type == "image/png"
    assert small.content.startswith(b"\x89PNG")
    large = engine.thumbnails.picture("art/oak.svg")
    assert (large.media_type, large.problem) == ("image/svg+xml", "")
    assert ElementTree.fromstring(large.content).get("viewBox")


def test_a_small_file_that_stands_for_a_billion_shapes_has_none(engine: Engine, tmp_path: Path) -> None:
    """Browsers draw them all, and the page stands still."""
    links = "".join(f'<g id="a{each + 1}">' + f'<use href="#a{each}"/>' * 10 + "</g>" for each in range(9))
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><path id="a0" d="M0 0h1"/>{links}</defs>'
    (tmp_path / "project/art/bomb.svg").write_text(f'{text}<use href="#a9"/></svg>', encoding="utf-8")
    script = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>x</script><path d="M0 0h1"/></svg>'
    (tmp_path / "project/art/script.svg").write_text(script, encoding="utf-8")
    bomb = engine.thumbnails.picture("art/bomb.svg")
    assert (bomb.content, bool(bomb.problem)) == (b"", True)
    assert b"script" not in engine.thumbnails.picture("art/script.svg").content


@pytest.mark.parametrize("file", ["../secret.png", "cardgen.yaml", "art/missing.png", "/etc/passwd", "art", "a\0.png"])
def test_other_files_have_none(engine: Engine, file: str) -> None:
    small = engine.thumbnails.picture(file)
    assert (small.content, bool(small.problem)) == (b"", True)
