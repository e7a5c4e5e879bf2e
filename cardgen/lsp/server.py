"""The state of the server, and the notifications of the client."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from cardgen import __version__
from cardgen.diagnostic import CardgenError
from cardgen.editor.references import RenameError
from cardgen.editor.session import ProjectService
from cardgen.lsp.publisher import OpenProject, OpenProjects, Publisher, path_of
from cardgen.runtime.request_process import ProcessError, RemoteService
from cardgen.runtime.workspace import BudgetError

_WATCHED = ("**/*.{yaml,yml,csv,xlsx,ods,json,jsonl,svg,png,jpg,jpeg,webp,j2}",)
# Clients that show pictures in a hover.
_PICTURE_CLIENTS = ("visual studio code", "vscodium", "code - oss", "cursor")


class CardServer:
    """The state of the server: projects, their problems, and the options of the client."""

    def __init__(self) -> None:
        self.server: Any = LanguageServer("cardgen", __version__)
        self.projects = OpenProjects()
        self.service = RemoteService(ProjectService, is_stateless=True)
        self.shows_pictures = False
        self._publishers: dict[Path, Publisher] = {}
        answer_malformed_requests(self.server)
        feature = self.server.feature
        feature(types.INITIALIZE)(ignoring(self._initialize))
        feature(types.INITIALIZED)(ignoring(self._initialized))
        feature(types.TEXT_DOCUMENT_DID_OPEN)(ignoring(self._opened))
        feature(types.TEXT_DOCUMENT_DID_CHANGE)(ignoring(self._changed))
        feature(types.TEXT_DOCUMENT_DID_CLOSE)(ignoring(self._closed))
        feature(types.TEXT_DOCUMENT_DID_SAVE)(ignoring(self._saved))
        feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(ignoring(self._files_changed))
        feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(ignoring(self._folders_changed))
        feature(types.SHUTDOWN)(ignoring(self._shut_down))

    @property
    def encoding(self) -> str:
        """How the client counts columns."""
        return str(getattr(self.server.workspace.position_encoding, "value", self.server.workspace.position_encoding))

    async def _initialized(self, _: types.InitializedParams) -> None:
        folders = [path_of(folder.uri) for folder in self.server.workspace.folders.values()]
        root = path_of(self.server.workspace.root_uri or "")
        self.projects.add_folders(dict.fromkeys(folder for folder in (*folders, root) if folder))
        for project in self.projects:
            self.publisher(project).schedule()
        await self._watch_files()

    async def _initialize(self, params: types.InitializeParams) -> None:
        name = params.client_info.name.casefold() if params.client_info else ""
        options = params.initialization_options
        value = options.get("pictures") if isinstance(options, dict) else getattr(options, "pictures", None)
        self.shows_pictures = value if isinstance(value, bool) else name.startswith(_PICTURE_CLIENTS)

    async def _watch_files(self) -> None:
        """Ask the client to report changes on the disk, if it can."""
        workspace = self.server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace else None
        if not watching or not watching.dynamic_registration:
            return
        watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration("cardgen-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await self.server.client_register_capability_async(types.RegistrationParams([registration]))

    def publisher(self, project: OpenProject) -> Publisher:
        """Return the publisher of a project's problems."""
        root = project.session.root
        if root not in self._publishers or self._publishers[root].project is not project:
            send = self.server.text_document_publish_diagnostics
            self._publishers[root] = Publisher(project, self.service, self.encoding, send)
        return self._publishers[root]

    def file(self, uri: str) -> tuple[OpenProject, Path]:
        """Return a file and its project. Raises an error of the protocol if it has none."""
        path = path_of(uri)
        if path is None:
            raise request_error(f"'{uri}' is not the URI of a file", INVALID_PARAMS)
        project = self.projects.project_of(path)
        if not project.session.owns(path):
            raise request_error(f"'{path.name}' is a link that points outside the project")
        return project, path

    def _take_text(self, uri: str, version: int | None) -> None:
        project, path = self.file(uri)
        project.open_files[path] = version
        project.session.set_text(path, self.server.workspace.get_text_document(uri).source)
        self.publisher(project).schedule(path)

    async def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        project, path = self.file(params.text_document.uri)
        self.publisher(project).resend([path])
        self._take_text(params.text_document.uri, params.text_document.version)

    async def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        self._take_text(params.text_document.uri, params.text_document.version)

    async def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        project, path = self.file(params.text_document.uri)
        project.open_files.pop(path, None)
        project.session.set_text(path, None)
        self.publisher(project).schedule(path)

    async def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        project, path = self.file(params.text_document.uri)
        if not project.session.checked_with(path):
            project.reload()
        self.publisher(project).schedule(path)

    async def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        paths = [path for change in params.changes if (path := path_of(change.uri))]
        for project in self.projects:
            if any(path.is_relative_to(project.session.root) for path in paths):
                project.reload()
                self.publisher(project).schedule()

    async def _folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        self.projects.remove_folders(path for each in params.event.removed if (path := path_of(each.uri)))
        self.projects.add_folders(path for each in params.event.added if (path := path_of(each.uri)))
        for project in self.projects:
            self.publisher(project).schedule()

    async def _shut_down(self, *_: object) -> None:
        for publisher in self._publishers.values():
            publisher.cancel()
        await asyncio.to_thread(self.service.close)


INVALID_PARAMS, INTERNAL_ERROR, REQUEST_FAILED = -32602, -32603, -32803
_LOG = logging.getLogger("cardgen.lsp")
Handler = TypeVar("Handler", bound=Callable[..., Any])


def request_error(message: str, code: int = REQUEST_FAILED) -> Exception:
    """Return the error that answers a request."""
    error: Exception = JsonRpcException(message, code)
    return error


def _translated(error: Exception) -> Exception:
    if type(error) in (JsonRpcException, *JsonRpcException.__subclasses__()):
        return error
    if isinstance(error, CardgenError):
        return request_error("; ".join(str(each) for each in error.diagnostics[:3]))
    if isinstance(error, RenameError | ProcessError | BudgetError):
        return request_error(str(error))
    _LOG.error("request failed: %s: %s", type(error).__name__, error)
    return request_error(f"the request failed: {type(error).__name__}", INTERNAL_ERROR)


def guarded(handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return a handler of a request whose failures are errors of the protocol."""

    @functools.wraps(handler)
    async def handle(*arguments: Any) -> Any:
        try:
            return await handler(*arguments)
        except Exception as error:
            raise _translated(error) from None

    return handle


def ignoring(handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return a handler of a notification, which has no answer; failures go to the log."""

    @functools.wraps(handler)
    async def handle(*arguments: Any) -> Any:
        try:
            return await handler(*arguments)
        except Exception as error:
            _LOG.error("notification failed: %s: %s", type(error).__name__, error)
            return None

    return handle


def answer_malformed_requests(server: Any) -> None:
    """Make a server answer requests that it cannot read; pygls only shows a message to the user."""
    protocol = server.protocol
    structure = protocol.structure_message

    def structure_or_answer(data: Any) -> Any:
        try:
            return structure(data)
        except Exception as error:
            if isinstance(data, dict) and "id" in data and "method" in data:
                code = getattr(error, "code", INVALID_PARAMS)
                refusal = JsonRpcException(f"invalid parameters of {data['method']}", code)
                protocol._send_response(data["id"], None, refusal.to_response_error())
            raise

    def log_error(error: Exception, source: object) -> None:
        _LOG.error("%s", error)

    protocol.structure_message = structure_or_answer
    server.report_server_error = log_error
