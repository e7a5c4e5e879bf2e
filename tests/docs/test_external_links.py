"""The nightly check of links to other sites, against a server of its own."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("external_links", ROOT / "docs" / "site" / "external_links.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Answer(BaseHTTPRequestHandler):
    """Answers with the status in the path."""

    def do_GET(self) -> None:
        self.send_response(int(self.path.strip("/")))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(("status", "broken"), [(200, False), (403, False), (404, True), (500, True)])
def test_a_status_says_whether_a_link_is_broken(program: ModuleType, site: str, status: int, broken: bool) -> None:
    assert bool(program.problem(f"{site}/{status}", 0)) == broken


def test_a_missing_server_is_a_problem(program: ModuleType) -> None:
    assert program.problem("http://127.0.0.1:9/", 0)


def test_links_are_read_from_prose(program: ModuleType, tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text(
        "[a](https://a.example/x#y) <https://b.example>, [c](c.md)\n```sh\n[d](https://d.example)\n```\n"
        "[e](https://example.com/OWNER/cardgen)\n",
        encoding="utf-8",
    )
    assert program.external_links([page]) == {"https://a.example/x": [page], "https://b.example": [page]}


def test_the_documentation_has_such_links(program: ModuleType) -> None:
    assert len(program.external_links(program.pages())) > 3
