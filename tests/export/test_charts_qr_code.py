"""QR codes: their shape, and the text in them."""

from __future__ import annotations

import re

from cardgen.export.charts import qr_svg

FINDER = ("#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######")


def _modules(svg: str) -> list[str]:
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1]) - 8  # type: ignore[index]
    dark = {(int(x) - 4, int(y) - 4) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", svg)}
    return ["".join("#" if (x, y) in dark else "." for x in range(side)) for y in range(side)]


def test_a_code_has_its_three_finders_and_a_quiet_zone() -> None:
    rows = _modules(qr_svg("http://192.168.1.5:43210/#K7QX2M").decode())
    side = len(rows)
    assert (side - 17) % 4 == 0
    for left, top in ((0, 0), (side - 7, 0), (0, side - 7)):
        assert tuple(row[left : left + 7] for row in rows[top : top + 7]) == FINDER
    assert tuple(row[side - 7 :] for row in rows[side - 7 :]) != FINDER
    # The timing pattern, which every reader needs.
    assert rows[6][8:-8] == ("#." * side)[: side - 16]


def test_different_texts_have_different_codes() -> None:
    assert qr_svg("a") != qr_svg("b")
    assert qr_svg("a") == qr_svg("a")
    assert len(qr_svg("x" * 300)) > len(qr_svg("x"))
