"""Pictures that authors give to cards: checked, and copied without overwriting any."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from cardgen.scaffold.pictures import PictureCard, add_icon, add_named_file, add_picture
from tests.cases import each_case

CARD = PictureCard("old-gravel", "character", "cards/hero.yaml")
SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'


@pytest.fixture(autouse=True)
def in_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "project"
    (root / "cards").mkdir(parents=True)
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    monkeypatch.chdir(root)


def picture(color: int = 0, form: str = "PNG") -> Path:
    path = Path("..", f"upload{color}")
    Image.new("RGB", (9, 9), (color, 0, 0)).save(path, form)
    return path


def add(upload: Path, name: str = "Photo.png", card: PictureCard = CARD) -> str:
    try:
        return add_picture(Path.cwd(), upload, name, card)
    finally:
        assert not upload.exists()


@each_case(("form", "file"), [("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp"), ("GIF", "gif")])
def test_a_picture_has_the_id_of_its_card_and_the_suffix_of_its_format(form: str, file: str) -> None:
    upload = picture(form=form)
    content = upload.read_bytes()
    added = add(upload, "x.exe", CARD._replace(id=file))
    assert added == f"art/{file}.{file}"
    assert Path(added).read_bytes() == content


def test_a_drawing_is_copied_as_it_is() -> None:
    upload = Path("..", "upload")
    upload.write_text(SVG, encoding="utf-8")
    assert add(upload) == "art/old-gravel.svg"
    assert Path("art/old-gravel.svg").read_text(encoding="utf-8") == SVG


def test_no_other_picture_is_overwritten_and_the_same_is_not_stored_twice() -> None:
    assert add(picture(1)) == "art/old-gravel.png"
    assert add(picture(2, "JPEG")) == "art/old-gravel-2.jpg"
    assert add(picture(1)) == "art/old-gravel.png"
    assert add(picture(3)) == "art/old-gravel-3.png"
    assert len([*Path("art").iterdir()]) == 3


def test_a_picture_beside_the_card_that_would_be_found_first_counts() -> None:
    Path("cards/art").mkdir()
    Path("cards/art/Old-Gravel.PNG").write_bytes(b"x")
    assert add(picture()) == "art/old-gravel-2.png"


@each_case(
    ("content", "message"),
    [
        (b"", "'Photo.png': the file is empty"),
        (b"MZ\x90\0 a program", "'Photo.png' is not a picture that can be printed; save it as PNG, JPEG, or WebP"),
        (b"<svg><script>alert(1)</script>", "'Photo.png': the SVG is not well-formed"),
        (
            SVG.replace("<path", '<image href="http://x.test/a.png"/><path').encode(),
            "'Photo.png': 'embedded pictures (<image>)' is not supported",
        ),
    ],
)
def test_what_cannot_be_printed_is_refused(content: bytes, message: str) -> None:
    upload = Path("..", "upload")
    upload.write_bytes(content)
    with pytest.raises(CardgenError) as caught:
        add(upload)
    assert message in str(caught.value)
    assert not Path("art").exists()


def test_a_picture_that_lacks_data_or_is_too_large_is_refused() -> None:
    upload = Path("..", "upload")
    Image.effect_noise((64, 64), 80).save(upload, "PNG")
    upload.write_bytes(upload.read_bytes()[:-2000])
    with pytest.raises(CardgenError, match="truncated"):
        add(upload)
    with pytest.raises(CardgenError, match="12,000"):
        add(_wide())


def _wide() -> Path:
    path = Path("..", "wide")
    Image.new("1", (12_001, 1)).save(path, "PNG")
    return path


def test_a_folder_that_leads_out_of_the_project_gets_no_picture(tmp_path: Path) -> None:
    Path("art").symlink_to(tmp_path)
    with pytest.raises(CardgenError, match="outside the project"):
        add(picture())
    assert not (tmp_path / "old-gravel.png").exists()


def test_a_folder_beside_the_card_that_leads_out_of_the_project_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / "old-gravel.png").write_bytes(b"x")
    Path("cards/art").symlink_to(tmp_path)
    with pytest.raises(CardgenError, match=r"cards/art.*: the link points outside the project"):
        add(picture())
    assert not Path("art").exists()


def test_a_picture_that_leads_out_of_the_project_is_neither_read_nor_named(tmp_path: Path) -> None:
    upload = picture()
    (tmp_path / "same.png").write_bytes(upload.read_bytes())
    Path("art").mkdir()
    Path("art/old-gravel.png").symlink_to(tmp_path / "same.png")
    assert add(upload) == "art/old-gravel-2.png"


@each_case(
    ("name", "icon"),
    [
        ("coin.svg", "coin"),
        ("Gold_coin.svg", "Gold_coin"),
        ("Zwei Münzen!.svg", "zwei-munzen"),
        ("con.svg", "con-icon"),
    ],
)
def test_an_icon_keeps_its_name_as_far_as_a_text_can_have_it(name: str, icon: str) -> None:
    upload = Path("..", "upload")
    upload.write_text(SVG, encoding="utf-8")
    assert add_icon(Path.cwd(), upload, name) == icon
    assert Path(f"icons/{icon}.svg").read_text(encoding="utf-8") == SVG
    assert not upload.exists()


def test_no_other_icon_is_overwritten() -> None:
    for text, icon in ((SVG, "coin"), (SVG, "coin"), (SVG.replace("h9", "h8"), "coin-2")):
        upload = Path("..", "upload")
        upload.write_text(text, encoding="utf-8")
        assert add_icon(Path.cwd(), upload, "coin.svg") == icon


@pytest.mark.parametrize("content", [b"", b"PNG", b"<svg/>", SVG.replace("M0 0h9v9z", "").encode()])
def test_what_cannot_be_an_icon_is_refused_by_its_name(content: bytes) -> None:
    upload = Path("..", "upload")
    upload.write_bytes(content) if content != b"PNG" else picture().rename(upload)
    with pytest.raises(CardgenError, match="coin") as caught:
        add_icon(Path.cwd(), upload, "coin.png")
    assert content != b"PNG" or "must be an SVG file" in str(caught.value)
    assert "upload" not in str(caught.value)
    assert not Path("icons").exists()


def test_pictures_of_tables_keep_their_names_and_come_where_a_cell_names_them() -> None:
    def add_file(upload: Path, name: str) -> str:
        return add_named_file(Path.cwd(), upload, name, {"fox.png", "maps/hill.png", "crest.svg", "Pay {coin}."})

    assert add_file(picture(1), "fox.png") == "Saved as art/fox.png."
    assert add_file(picture(1), "photos/hill.png") == "Saved as maps/hill.png."
    assert add_file(picture(1), "owl.png") == "Saved as art/owl.png; no card names it yet."
    before = Path("art/fox.png").read_bytes()
    assert add_file(picture(2), "fox.png") == "Saved as art/fox.png; the picture before is now art/fox-2.png."
    assert Path("art/fox-2.png").read_bytes() == before != Path("art/fox.png").read_bytes()
    for name, file in (("coin.svg", "icons/coin.svg"), ("crest.svg", "art/crest.svg")):
        upload = Path("..", "upload")
        upload.write_text(SVG, encoding="utf-8")
        assert ("icon {coin}" in add_file(upload, name)) is (name == "coin.svg")
        assert Path(file).read_text(encoding="utf-8") == SVG
    with pytest.raises(CardgenError):
        add_named_file(Path.cwd(), picture(3), "../../fox.png", {"../../fox.png"})
    assert not Path("../../fox.png").exists()
