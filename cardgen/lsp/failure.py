"""Failures of requests as errors of the protocol: a message, never a traceback."""

from __future__ import annotations

import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pygls.exceptions import JsonRpcException

from cardgen.diagnostic import CardgenError
from cardgen.editor.rename import RenameError
from cardgen.runtime.request_process import ProcessError
from cardgen.sandbox.budget import BudgetError

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
