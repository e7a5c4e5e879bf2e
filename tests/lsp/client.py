"""A real language client, driven without `async` in the tests."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import make_test_lsp_client

PACKAGE = Path(__file__).parents[2]
_SECONDS = 100
_CAPABILITIES = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(rename=types.RenameClientCapabilities(prepare_support=True))
)


class Client:
    """A client of a server of its own; it has the files of a project open as it likes."""

    def __init__(self, root: Path, *, name: str = "", options: object = None) -> None:
        self.root = root
        self._runner = asyncio.Runner()
        self._client: Any = make_test_lsp_client()
        self._versions: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        self.capabilities = self._runner.run(self._start(name, options)).capabilities

    async def _start(self, name: str, options: object) -> Any:
        path = f"{PACKAGE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        environment = {**os.environ, "PYTHONPATH": path}
        await self._client.start_io(sys.executable, "-m", "cardgen", "lsp", cwd=str(self.root), env=environment)
        params = types.InitializeParams(
            _CAPABILITIES,
            root_uri=self.root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(self.root.as_uri(), "project")],
            client_info=types.ClientInfo(name) if name else None,
            initialization_options=options,
        )
        return await self._client.initialize_session(params)

    @property
    def pid(self) -> int:
        """The process of the server."""
        return int(self._client._server.pid)

    def close(self) -> int:
        """End the server, and return its exit code."""
        server = self._client._server
        self._runner.run(self._client.shutdown_session())
        code = self._runner.run(asyncio.wait_for(server.wait(), _SECONDS))
        self._runner.close()
        return int(code)

    def uri(self, file: str) -> str:
        return (self.root / file).as_uri()

    def document(self, file: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(file))

    def open(self, file: str) -> str:
        text = self._texts[file] = (self.root / file).read_bytes().decode()
        self._versions[file] = 1
        item = types.TextDocumentItem(self.uri(file), "yaml", 1, text)
        self._notify(self._client.text_document_did_open, types.DidOpenTextDocumentParams(item))
        return text

    def close_file(self, file: str) -> None:
        params = types.DidCloseTextDocumentParams(self.document(file))
        self._notify(self._client.text_document_did_close, params)

    def forget(self, file: str) -> None:
        """Close a file for good."""
        self.close_file(file)
        del self._texts[file]

    def replace(self, file: str, old: str, new: str) -> None:
        """Change the first occurrence of a text, as one incremental change."""
        text = self._texts[file]
        start = text.index(old)
        place = types.Range(self.position(text, start), self.position(text, start + len(old)))
        self._texts[file] = text.replace(old, new, 1)
        self._versions[file] += 1
        params = types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(self._versions[file], self.uri(file)),
            [types.TextDocumentContentChangePartial(range=place, text=new)],
        )
        self._notify(self._client.text_document_did_change, params)

    def restore(self) -> None:
        """Change the open files back to those on the disk."""
        for file, text in self._texts.items():
            saved = (self.root / file).read_bytes().decode()
            if text != saved:
                self.replace(file, text, saved)

    @staticmethod
    def position(text: str, offset: int) -> types.Position:
        """Return the position of a character, whose column counts code units of UTF-16."""
        before = text[:offset]
        column = len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
        return types.Position(before.count("\n"), column)

    def at(self, file: str, part: str, shift: int = 1) -> dict[str, Any]:
        """Return the arguments of a request at a part of a file's text."""
        text = self._texts[file]
        return {"text_document": self.document(file), "position": self.position(text, text.index(part) + shift)}

    def range_of(self, file: str, part: str) -> types.Range:
        text = self._texts[file]
        start = text.index(part)
        return types.Range(self.position(text, start), self.position(text, start + len(part)))

    def request(self, method: str, params: object) -> Any:
        """Send a request, such as 'text_document_hover', and return the answer."""
        return self._runner.run(asyncio.wait_for(getattr(self._client, f"{method}_async")(params), _SECONDS))

    def known_files(self) -> set[str]:
        """Return the files about which the server has sent diagnostics."""
        return set(self._client.diagnostics)

    def diagnostics(self, file: str, accept: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """Return the diagnostics of a file as soon as they are acceptable."""
        return self._runner.run(asyncio.wait_for(self._wait(file, accept), _SECONDS))

    async def _wait(self, file: str, accept: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        while not accept(found := list(self._client.diagnostics.get(self.uri(file), ()))):
            await self._client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return found

    def _notify(self, send: Callable[[Any], None], params: object) -> None:
        async def notify() -> None:
            send(params)
            await asyncio.sleep(0)

        self._runner.run(notify())
