from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from cardgen.project.project import Project
from cardgen.target.print.tgc import TgcProfile
from cardgen.target.profile import load_profile, profile_files
from tests.target.print.orders import ordered

VARIABLES = {"CARDGEN_TGC_KEY": "key-1", "CARDGEN_TGC_USER": "ash", "CARDGEN_TGC_PASSWORD": "secret"}


class Service:
    """A service with the documented routes, on this computer."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict[str, Any], bytes]] = []
        self.refused = ""
        self.forged: tuple[int, str] | None = None

    def answer(self, method: str, path: str, values: dict[str, Any], body: bytes) -> tuple[int, Any]:
        route = path.removeprefix("/api/")
        self.requests.append((method, route, values, body))
        if self.refused and route.startswith(self.refused):
            return 451, {"error": {"code": 451, "message": "this picture has the wrong size"}}
        special = {
            "session": {"id": "s1", "user_id": "u1"},
            "user/u1": {"id": "u1", "root_folder_id": "root"},
            "user/u1/designers": {"items": [{"id": "d1"}], "paging": {"total_pages": 1}},
        }
        return 200, {"result": special.get(route, {"id": f"{route.replace('/', '-')}-{len(self.requests)}"})}

    def sent(self, route: str) -> list[dict[str, Any]]:
        return [values for _, each, values, _ in self.requests if each == route]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    fake = Service()

    class Handler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            kind = self.headers.get("Content-Type", "")
            text = parts.query or (body.decode() if "urlencoded" in kind else "")
            values = {key: each[0] for key, each in parse_qs(text).items()}
            if kind == "application/json":
                values = json.loads(body)
            status, answer = fake.answer(self.command, parts.path, values, body)
            content = json.dumps(answer).encode()
            if fake.forged:
                status, content = fake.forged[0], fake.forged[1].encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = _handle  # noqa: N815 - names of http.server

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("CARDGEN_TGC_URL", f"http://127.0.0.1:{server.server_port}")
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    yield fake
    server.shutdown()
    server.server_close()
    thread.join()


def test_pictures_have_the_pixels_of_their_deck(tmp_path: Path) -> None:
    result = ordered("tgc", tmp_path, "minion", "relic")
    assert {path.parent.name for path in result.files} == {"EuroPokerDeck"}
    for path in result.files:
        with Image.open(path) as picture:
            assert picture.size == (825, 1125)
            assert picture.getpixel((0, 0)) != (255, 255, 255), "the bleed must reach the corner"


def test_a_card_that_is_slightly_smaller_fills_the_pixels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cardgen.yaml").write_text("sizes: {minion: tarot}\n", encoding="utf-8")
    for path in ordered("tgc", tmp_path / "output").files:
        assert path.parent.name == "TarotDeck"
        with Image.open(path) as picture:
            assert picture.size == (900, 1500)
            assert picture.getpixel((0, 0)) != (255, 255, 255)
            assert picture.getpixel((899, 1499)) not in ((0, 0, 0), (255, 255, 255))


def test_every_deck_of_the_service_is_known() -> None:
    profile = load_profile(profile_files(Project.find())["tgc"])
    assert isinstance(profile, TgcProfile)
    pixels = {deck.identity: (deck.width, deck.height) for deck in profile.decks}
    assert len(pixels) == 24
    assert (pixels["PokerDeck"], pixels["MicroDeck"], pixels["JumboDeck"]) == ((825, 1125), (450, 600), (1125, 1725))
    for deck in profile.decks:
        for side, length in zip((deck.width, deck.height), deck.trim, strict=True):
            assert 2.5 < (side / 300 * 25.4 - length) / 2 < 4.3


def test_nothing_is_sent_without_the_option(tmp_path: Path, service: Service) -> None:
    ordered("tgc", tmp_path)
    assert not service.requests


def test_an_upload_creates_a_game_with_a_deck(tmp_path: Path, service: Service) -> None:
    result = ordered("tgc", tmp_path, upload=True)
    assert service.sent("session")[0] == {"api_key_id": "key-1", "username": "ash", "password": "secret"}
    assert service.sent("game")[0]["designer_id"] == "d1"
    (deck,) = service.sent("deck")
    assert deck["identity"] == "EuroPokerDeck"
    assert deck["back_id"].startswith("file-")
    (bulk,) = [values for _, route, values, _ in service.requests if route.endswith("bulk-cards")]
    assert sum(card["quantity"] for card in bulk["cards"]) == result.copies
    uploads = [body for _, route, _, body in service.requests if route == "file"]
    assert len(uploads) == len(result.files)
    assert all(any(path.read_bytes() in body for body in uploads) for path in result.files)
    assert service.requests[-1][:2] == ("DELETE", "session/s1")


@pytest.mark.parametrize("name", VARIABLES)
def test_an_upload_needs_key_and_account(
    tmp_path: Path, service: Service, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv(name)
    with pytest.raises(CardgenError, match=name):
        ordered("tgc", tmp_path, "sentinel", upload=True)
    assert not service.requests


def test_a_refusal_is_reported_and_nothing_is_written(tmp_path: Path, service: Service) -> None:
    service.refused = "file"
    with pytest.raises(CardgenError, match="refused the request 'file': this picture has the wrong size"):
        ordered("tgc", tmp_path, upload=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("answer", ["[" * 100_000, "{}", "null", '{"result": 1}', '{"result": {"id": 1}}', "\x00", ""])
def test_other_answers_are_an_error(tmp_path: Path, service: Service, status: int, answer: str) -> None:
    service.forged = (status, answer)
    with pytest.raises(CardgenError, match=r"answered in an unknown form|refused the request 'session': status 500"):
        ordered("tgc", tmp_path, "sentinel", upload=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("address", ["http://example.org", "ftp://127.0.0.1", "file:///etc/passwd"])
def test_the_key_is_sent_encrypted_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    for variable, value in {**VARIABLES, "CARDGEN_TGC_URL": address}.items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(CardgenError, match="https"):
        ordered("tgc", tmp_path, "sentinel", upload=True)
