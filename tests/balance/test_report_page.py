from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256

import pytest

from cardgen.balance.report import BalanceReport, as_html, page_data
from tests.balance.fighters import CHEAP

HOSTILE = "</script><script>alert(1)</script><!-- & \u2028 \ud800"


def data_of(page: str) -> dict[str, object]:
    (block,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data: dict[str, object] = json.loads(block)
    return data


def test_the_page_loads_nothing(report: BalanceReport) -> None:
    page = as_html(report).decode()
    assert not re.search(r"\b(?:src|href)=|@import|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; ")
    for name, tag in (("script-src", "<script>"), ("style-src", "<style>")):
        (content,) = re.findall(f"{tag}(.*?)</", page, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy[1]


def test_names_cannot_break_out(report: BalanceReport) -> None:
    competitors = ((HOSTILE, ""), *report.balance.competitors[1:])
    balance = replace(report.balance, competitors=competitors)
    hostile = replace(report, balance=balance, strengths=replace(report.strengths, balance=balance))
    page = as_html(hostile).decode()
    assert page.count("<script") == page.count("</script>") == 2
    assert "alert(1)<" not in page
    cards = data_of(page)["cards"]
    assert isinstance(cards, list)
    assert any(card["name"].startswith("</script><script>alert(1)") for card in cards)


def test_the_page_has_all_scores(report: BalanceReport) -> None:
    data = page_data(report)
    scores, cards = b64decode(str(data["scores"])), data["cards"]
    assert isinstance(cards, list)
    places = [standing.place for standing in report.strengths.standings]
    for number, place in enumerate(places):
        for other in range(number):
            exact = report.balance.scores[place][places[other]]
            assert exact is not None
            byte = scores[number * (number - 1) // 2 + other]
            assert byte / 254 == pytest.approx(float(exact), abs=1 / 500)
    assert sorted(data["order"]) == [*range(11)]  # type: ignore[call-overload]
    (cheap,) = [card for card in cards if card["name"] == CHEAP]
    assert (cheap["side"], cheap["cost"], cheap["groups"]) == ("strong", 60, [["chaos"], []])
