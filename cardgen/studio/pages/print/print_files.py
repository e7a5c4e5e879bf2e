"""Files of builds and exports, and pages of previews, for the browser."""

from __future__ import annotations

from starlette.responses import FileResponse, PlainTextResponse, Response

from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.remote import URGENT
from cardgen.studio.jobs.job import output_path
from cardgen.studio.studio import Studio

# Files that browsers show; they store all others.
_SHOWN = {".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml", ".jpg": "image/jpeg"}
_RESOLUTIONS = range(36, 301)
_NO_STORE = {"Cache-Control": "no-store"}


def output_file(studio: Studio, path: str) -> Response:
    """Return a file of the project's output folder, and of no other."""
    file = output_path(studio.root, path)
    if file is None:
        return _gone("this file is gone")
    kind = _SHOWN.get(file.suffix.lower())
    place = "inline" if kind else "attachment"
    names = {"filename": file.name, "content_disposition_type": place}
    return FileResponse(file, media_type=kind or "application/octet-stream", headers=_NO_STORE, **names)


async def sheet_page(studio: Studio, number: int, document: int, page: int, dpi: int) -> Response:
    """Return a page of a preview as a picture."""
    job = studio.jobs.find(number)
    files = job.result.files if job else ()
    if not (0 <= document < len(files) and 0 <= page < files[document].pages and dpi in _RESOLUTIONS):
        return _gone("this sheet is gone")
    try:
        content = await studio.computing.call("sheets.page", files[document].path, page, dpi, priority=URGENT)
    except ProcessError as error:
        return _gone(str(error))
    return Response(content, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


def _gone(text: str) -> Response:
    return PlainTextResponse(text, 404, headers=_NO_STORE)
