"""What a stranger's project, a web page, or another program can try against the studio."""

from __future__ import annotations

import http.client
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from tests.journeys.conftest import CHARACTER, RunningStudio, running_studio, write_project

# Each would set the title if it ran, or be shown as something else.
PAYLOADS = (
    "<img src=x onerror=document.title='pwned'>",
    "</script><script>document.title='pwned'</script>",
    "`${document.title='pwned'}`",
    "{{ constructor.constructor('document.title=1')() }} {{ 7 * 7 }}",
    "\"' onmouseover=document.title='pwned' x='",
    "\\u003cscript\\u003edocument.title='pwned'\\u003c/script\\u003e \u2028 &lt;b&gt;",
)
_ART = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="parent.document.title='pwned'">
<script>parent.document.title='pwned'</script><rect width="9" height="9"/></svg>"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    project = write_project(tmp_path_factory.mktemp("hostile") / "<b>x<script>`${1}`", 0)
    (project / "art").mkdir()
    (project / "art" / "evil.svg").write_text(_ART, encoding="utf-8")
    for number, payload in enumerate(PAYLOADS):
        quoted = "'" + payload.replace("'", "''") + "'"
        text = CHARACTER.format(number=number, tag=quoted).replace(f"name: Scout {number}", f"name: {quoted}")
        text = text.replace("weapons:", f"motto: {quoted}\nart: art/evil.svg\nweapons:")
        (project / "cards" / f"hostile-{number}.yaml").write_text(text, encoding="utf-8")
        broken = f"kind: character\nname: Broken {number}\n{quoted}: 1\n"
        (project / "cards" / f"broken-{number}.yaml").write_text(broken, encoding="utf-8")
    good = CHARACTER.format(number="Good", tag="odd")
    (project / "cards" / "<i>&'\"`.yaml").write_text(good, encoding="utf-8")
    with running_studio(project) as started:
        yield started


@pytest.fixture
def visitor(browser: Any, hostile: RunningStudio) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    window = context.new_page()
    window.set_default_timeout(30_000)
    dialogs: list[str] = []
    window.on("dialog", lambda dialog: dialogs.append(dialog.message))
    window.goto(hostile.url)
    window.wait_for_selector(".card-cell")
    yield window
    assert "pwned" not in window.title()
    assert window.evaluate("!document.querySelector('.studio img[src=\"x\"], [onerror], [onmouseover]')")
    assert not dialogs
    context.close()


def test_names_tags_and_messages_are_shown_as_text(visitor: Any, hostile: RunningStudio) -> None:
    names = visitor.locator(".card-name").all_inner_texts()
    assert PAYLOADS[0] in names
    assert PAYLOADS[1] in names
    assert any("{{ 7 * 7 }}" in name for name in names)
    assert "<script>" in visitor.locator(".studio-project").inner_text()
    for number in range(4):
        visitor.goto(hostile.address(f"cards/broken-{number}.yaml"))
        visitor.wait_for_selector(".problems li")
        assert PAYLOADS[number][:12] in visitor.locator(".problems").inner_text()
        visitor.locator(".problem-error").first.hover()
        visitor.wait_for_timeout(150)


def test_a_file_with_a_hostile_name_is_edited_and_saved(visitor: Any, hostile: RunningStudio) -> None:
    file = hostile.project / "cards" / "<i>&'\"`.yaml"
    visitor.goto(hostile.address(quote(f"cards/{file.name}")))
    visitor.wait_for_selector("[data-shown]")
    assert visitor.locator(".edit-file").inner_text() == f"cards/{file.name}"
    assert file.name in visitor.locator(".cm-content").get_attribute("aria-label")
    visitor.locator(".cm-line", has_text="name: Scout Good").click()
    visitor.keyboard.press("End")
    visitor.keyboard.type("  # edited")
    visitor.get_by_text("unsaved changes", exact=True).wait_for()
    visitor.keyboard.press("Control+s")
    visitor.get_by_text("saved", exact=True).wait_for()
    assert "Scout Good  # edited" in file.read_text(encoding="utf-8")


def test_pictures_are_sandboxed_and_have_no_scripts(visitor: Any, hostile: RunningStudio) -> None:
    source = visitor.locator(".card-cell", has_text="Scout Good").locator("img").get_attribute("src")
    answer = visitor.request.get(hostile.origin + source)
    assert answer.status == 200, answer.text()
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "<script" not in answer.text()
    assert "onload" not in answer.text()
    page = visitor.goto(hostile.origin)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


FILES = {
    "a parent": "../secret.yaml",
    "an encoded parent": "cards/..%2f..%2fsecret.yaml",
    "a Windows path": "..\\secret.yaml",
    "an absolute path": "/etc/hosts.yaml",
    "a link out of the project": "cards/link.yaml",
    "a link of a folder": "away/secret.yaml",
    "a hidden file": ".git/config.yaml",
    "a zero byte": "cards/%00.yaml",
    "a very long name": "cards/" + "a" * 3000 + ".yaml",
    "a folder": "cards.yaml",
    "a pipe": "cards/pipe.yaml",
    "markup": "<img src=x onerror=document.title='pwned'>.txt",
}


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_files_outside_the_project_stay_closed(visitor: Any, hostile: RunningStudio, file: str) -> None:
    outside = hostile.project.parent
    (outside / "secret.yaml").write_text("name: Secret Word\n", encoding="utf-8")
    links = {hostile.project / "cards" / "link.yaml": outside / "secret.yaml", hostile.project / "away": outside}
    pipe, folder = hostile.project / "cards" / "pipe.yaml", hostile.project / "cards.yaml"
    for link, target in links.items():
        link.symlink_to(target)
    os.mkfifo(pipe)
    folder.mkdir()
    try:
        visitor.goto(f"{hostile.origin}/edit?file={file if '%' in file else quote(file)}")
        visitor.locator("[role=alert]:visible").wait_for()
        assert "Secret Word" not in visitor.content()
        assert visitor.locator(".cm-content").count() == 0
    finally:
        for each in (*links, pipe):
            each.unlink()
        folder.rmdir()


def _answer(studio: RunningStudio, path: str, **headers: str) -> tuple[int, str]:
    address = urlsplit(studio.url)
    connection = http.client.HTTPConnection("127.0.0.1", address.port or 80, timeout=20)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer.status, body


_SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def test_the_handshake_needs_the_cookie_the_host_and_the_origin(hostile: RunningStudio) -> None:
    address = urlsplit(hostile.url)
    port, token = address.port, address.query.partition("=")[2]
    cookie = f"cardgen-studio-{port}={token}"
    sockets = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    assert _answer(hostile, sockets, **_SOCKET)[0] == 403
    assert _answer(hostile, sockets, **_SOCKET, Cookie=cookie, Origin="https://evil.example")[0] == 403
    assert _answer(hostile, sockets, **_SOCKET, Cookie=cookie, Host=f"evil.example:{port}")[0] == 403
    assert _answer(hostile, f"{sockets}&token={token}", **_SOCKET)[0] == 403
    assert _answer(hostile, "/_nicegui_ws/socket.io/?EIO=4&transport=polling")[0] == 403
    assert _answer(hostile, "/", Cookie=cookie)[0] == 200
    for path in (
        "/_nicegui/auto/static/../../../etc/passwd",
        "//evil.example/",
        "/face?key=../../x",
        "/picture/..%2fx",
    ):
        assert _answer(hostile, path, Cookie=cookie)[0] in (303, 404), path


@pytest.mark.parametrize("body", [b"half", b""])
def test_an_upload_that_breaks_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    """Nor does it print a traceback, which the running studio looks for."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with running_studio(write_project(tmp_path / "scouts", 1)) as studio:
        address = urlsplit(studio.url)
        cookie = f"cardgen-studio-{address.port}={address.query.partition('=')[2]}"
        head = f"POST /upload HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {cookie}\r\nContent-Length: 9999\r\n\r\n"
        with socket.create_connection(("127.0.0.1", address.port or 80)) as connection:
            connection.sendall(head.encode() + body)
            wait_until(lambda: [*tmp_path.glob("cardgen-upload-*/*")])
        wait_until(lambda: not [*tmp_path.glob("cardgen-upload-*/*")])
        assert not [*tmp_path.glob("cardgen-upload-*/*")]


def wait_until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_token_leaves_the_address_and_is_sent_to_nobody(visitor: Any, hostile: RunningStudio) -> None:
    token = urlsplit(hostile.url).query.partition("=")[2]
    assert token not in visitor.url
    answer = visitor.goto(hostile.url)
    assert token not in visitor.url
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert token not in visitor.content()
    assert visitor.evaluate("document.cookie") == ""
