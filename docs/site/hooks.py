"""Hooks of MkDocs: pages from outside docs/, the gallery, and links that also work on GitHub."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = "docs/"
# The pages made from files beside docs/, as the repository names them.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security-policy.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "license.md",
    "NOTICE": "notice.md",
}
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:)([^)\s]+)")
# A link with a plain text, which may lead to a file of the repository that is not a page.
_TEXT_LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\((?![a-z]+:|#)([^)\s#]+)(?:#[^)\s]*)?\)")
_FENCE = re.compile(r"\s*(```+|~~~+)")
# The head of a code block that names a file, such as '```yaml cards/guard.yaml'.
_FILE_BLOCK = re.compile(r"^(\s*```+\w+) ([\w./*-]+)$")
_PICTURES = ROOT / "output" / "gallery"
# The manual of all checks, one page in the repository, and a page for each check on the site: /checks/wn301/.
CHECKS = "checks.md"
_CHECK = re.compile(r"^### (?P<code>[A-Z]{2,3}\d{3}) (?P<name>[\w-]+)$", re.MULTILINE)
# The line below the heading of a check.
_ABOUT = re.compile(r"^(?P<title>.+) \*\((?P<sort>[^*]+)\)\*$", re.MULTILINE)
_TO_CHECK = re.compile(r"(?P<page>[\w./-]*)#(?P<code>[a-z]{2,3}\d{3})-[\w-]+")


def on_config(config: Any) -> Any:
    """Replace folders in the navigation by their pages."""
    config.nav = expand_folders(config.nav)
    return config


def expand_folders(nav: Any) -> Any:
    """Return a navigation in which each folder, such as 'decisions/', is a list of its pages, the README first."""
    if isinstance(nav, dict):
        return {title: expand_folders(part) for title, part in nav.items()}
    if isinstance(nav, list):
        return [expand_folders(part) for part in nav]
    if not str(nav).endswith("/"):
        return nav
    pages = sorted((ROOT / DOCS / nav).glob("*.md"), key=lambda page: (page.name != "README.md", page.name))
    return [f"{nav}{page.name}" for page in pages]


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from outside docs/, and the gallery with its pictures."""
    from mkdocs.structure.files import File  # only MkDocs itself needs to have it

    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=page_text(source)))
    for code, page in check_pages().items():
        files.append(File.generated(config, f"checks/{code}.md", content=page))
    sys.path.insert(0, str(Path(__file__).parent))
    from gallery import make_gallery

    from examples import draw_examples

    shutil.rmtree(_PICTURES, ignore_errors=True)
    _PICTURES.mkdir(parents=True)
    files.append(File.generated(config, "gallery.md", content=make_gallery(_PICTURES)))
    for path in sorted((ROOT / DOCS).glob("*.md")):
        draw_examples(path.read_text(encoding="utf-8"), _PICTURES, path.stem)
    for picture in sorted(_PICTURES.iterdir()):
        files.append(File.generated(config, f"gallery/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Adapt the links of a page of docs/, and shorten the manual of checks to tables."""
    if page.file.generated_by:
        return markdown
    if page.file.src_uri == CHECKS:
        markdown = check_index(markdown)
    from examples import with_pictures

    markdown = with_pictures(markdown, _PICTURES, Path(page.file.src_uri).stem)
    return site_links(markdown, DOCS + page.file.src_uri)


def check_pages() -> dict[str, str]:
    """Return the page of each check by its code in small letters."""
    text = (ROOT / DOCS / CHECKS).read_text(encoding="utf-8")
    starts = [match.start() for match in _CHECK.finditer(text)]
    sections = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    back = "\n[All checks](../checks.md)\n"
    return {
        str(_CHECK.match(section)["code"]).lower(): section.removeprefix("##").rstrip() + "\n" + back  # type: ignore[index]
        for section in sections
    }


def check_index(manual: str) -> str:
    """Return the manual of checks with a table in the place of the pages of each family."""
    introduction, *families = re.split(r"^## (?=.*\n)", manual, flags=re.MULTILINE)
    parts = [introduction]
    for family in families:
        rows = [f"## {family.partition(chr(10))[0]}\n", "| check | severity | about |", "|---|---|---|"]
        for head, about in zip(_CHECK.finditer(family), _ABOUT.finditer(family), strict=True):
            link = f"[{head['code']} {head['name']}](#{head['code'].lower()}-{head['name']})"
            rows.append(f"| {link} | {about['sort']} | {about['title']} |")
        parts.append("\n".join(rows) + "\n\n")
    return "".join(parts)


def page_text(source: str) -> str:
    """Return the page of a file beside docs/; plain text becomes a block."""
    text = (ROOT / source).read_text(encoding="utf-8")
    if source.endswith(".md"):
        return site_links(text, source)
    return f"# {source.capitalize()}\n\n```text\n{text.rstrip()}\n```\n"


def site_links(markdown: str, source: str) -> str:
    """Return a text with the relative links that the site needs.

    `source` is the file of the text in the repository. In code blocks, only the head changes: a file becomes a title.
    """
    return "".join(
        _FILE_BLOCK.sub(r'\1 title="\2"', line)
        if is_code
        else _LINK.sub(
            lambda match: site_link(match[1], source),
            _TEXT_LINK.sub(lambda match: outside_link(match, source), line),
        )
        for line, is_code in _lines(markdown)
    )


def outside_link(match: re.Match[str], source: str) -> str:
    """Return a link to a file of the repository that is not part of the site, such as code.

    The variable REPOSITORY_URL says where the repository is; without it, only the text of the link remains. Links to
    pages, and to files that do not exist, stay as they are.
    """
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), match[2]))
    if target in PAGES or target.startswith(DOCS) or not (ROOT / target).exists():
        return match[0]
    repository = os.environ.get("REPOSITORY_URL", "").rstrip("/")
    return f"[{match[1]}]({repository}/blob/main/{target})" if repository else match[1]


def site_link(link: str, source: str) -> str:
    """Return a link between files of the repository as a link between pages of the site."""
    to_check = _TO_CHECK.fullmatch(link)
    if to_check and (to_check["page"] or source).rpartition("/")[2] == CHECKS:
        link = f"{(to_check['page'] or CHECKS).removesuffix('.md')}/{to_check['code']}.md"
    file, mark, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
    page = PAGES.get(target) or target.removeprefix(DOCS)
    if not file or page == target:
        return link  # a heading of this page, or it leads out of the site, which MkDocs reports
    here = posixpath.dirname(PAGES.get(source) or source.removeprefix(DOCS))
    return posixpath.relpath(page, here or ".") + mark + anchor


def _lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it belongs to a code block."""
    fence = ""
    for line in markdown.splitlines(keepends=True):
        match = _FENCE.match(line)
        if not fence and match:
            fence = match[1]
            yield line, True
        elif fence:
            yield line, True
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        else:
            yield line, False
