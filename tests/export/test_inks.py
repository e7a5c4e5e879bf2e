from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from PIL import Image, ImageCms

from cardgen.diagnostic import CardgenError
from cardgen.export.inks import Inks, load_profile
from tests.export.press_tools import profile, profile_path


def test_grays_are_black_ink_only() -> None:
    inks = Inks(profile(), 2.4)
    assert inks.colour(0, 0, 0) == (0, 0, 0, 1)
    assert inks.colour(1, 1, 1) == (0, 0, 0, 0)
    assert inks.colour(0.5, 0.5, 0.5) == (0, 0, 0, 0.5)


def test_nearly_black_text_is_black_alone_but_a_nearly_black_area_is_not() -> None:
    inks = Inks(profile(), 2.4)
    assert inks.colour(0.13, 0.1, 0.08, is_text=True) == (0, 0, 0, 1)
    assert min(inks.colour(0.13, 0.1, 0.08)[:3]) > 0
    assert inks.colour(0.5, 0, 0, is_text=True)[1] > 0.5


@pytest.mark.parametrize("limit", [1.5, 2.4, 3.0])
def test_colors_and_pictures_stay_under_the_limit(limit: float) -> None:
    inks = Inks(profile(), limit)
    dark = Image.merge(
        "RGB", [Image.linear_gradient("L").rotate(turn).point(lambda v: v // 4) for turn in (0, 90, 180)]
    )
    separated = inks.picture(dark).tobytes()
    assert max(sum(separated[at : at + 4]) for at in range(0, len(separated), 4)) <= 255 * limit
    for levels in product((0, 0.05, 0.1, 0.15, 0.2), repeat=3):  # as a press or a viewer rounds them to bytes
        assert sum(round(255 * ink) for ink in inks.colour(*levels)) <= 255 * limit


def test_a_picture_has_the_colors_of_the_profile_and_black_grays() -> None:
    inks = Inks(profile(), 3.0)
    colours = [(200, 30, 40), (40, 90, 200), (120, 120, 120), (250, 240, 200)]
    image = Image.new("RGB", (4, 1))
    image.putdata(colours)
    result = inks.picture(image)
    for x, colour in enumerate(colours):
        expected = inks.colour(*(level / 255 for level in colour))
        found = result.getpixel((x, 0))
        assert isinstance(found, tuple)
        assert [level / 255 for level in found] == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(
    "content",
    [b"", b"not a profile", ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()],
    ids=["empty", "text", "sRGB"],  # the profile contains the time, which must not be in the name of a test
)
def test_a_file_that_is_not_a_profile_of_inks_is_reported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wrong.icc"
    path.write_bytes(content)
    with pytest.raises(CardgenError) as caught:
        load_profile(path)
    assert caught.value.diagnostics[0].place.file == str(path)


def test_the_profile_is_not_serialized_for_each_color(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradients have a thousand colors, and serializing a real profile takes longer than the color."""
    loaded = profile()
    calls: list[object] = []

    def serialize(profile: object) -> bytes:
        calls.append(profile)
        return b""

    monkeypatch.setattr("PIL.ImageCms.core.profile_tobytes", serialize)
    inks = Inks(loaded, 2.4)
    assert len({inks.colour(level / 20, 0, 0) for level in range(21)}) > 10
    assert calls == []


def test_a_profile_without_the_table_for_its_inks_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "damaged.icc"
    path.write_bytes(profile_path().read_bytes().replace(b"B2A", b"X2X"))
    with pytest.raises(CardgenError) as caught:
        load_profile(path)
    (problem,) = caught.value.diagnostics
    assert problem.place.file == str(path)
    assert problem.message == "the profile is damaged: colors cannot be converted with it"


def test_a_profile_is_read_through_links_of_the_system_but_not_of_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.icc").symlink_to(profile_path().resolve())
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "b.icc").symlink_to(profile_path().resolve())
    with pytest.raises(CardgenError, match="the link points outside the project"):
        load_profile(Path("a.icc"))
    monkeypatch.chdir(tmp_path / "project")
    assert load_profile(tmp_path / "a.icc").content
    with pytest.raises(CardgenError, match="the link points outside the project"):
        load_profile(Path("b.icc"))
