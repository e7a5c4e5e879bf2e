"""Windows that are closed while their page works."""

from __future__ import annotations

import logging

import pytest

pytest.importorskip("nicegui", reason="the studio's extra is not installed")

from nicegui import Client, ui
from nicegui.page import page

from cardgen.studio.pages.window import allow_late_changes


def test_what_a_closed_page_would_show_is_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    allow_late_changes()
    allow_late_changes()
    client = Client(page("/left"), request=None)
    with client:
        box = ui.element("div")
        client.delete()
        with box:
            ui.label("saved")
        ui.notify("saved")
    assert caplog.records == []
    logging.getLogger("nicegui").warning("something else")
    assert [record.message for record in caplog.records] == ["something else"]
