"""Links between the pages: each file and each heading exists, on GitHub and on the site."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.cases import each_case

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def hooks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_hooks", ROOT / "docs" / "site" / "hooks.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prose(path: Path) -> str:
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """The ids that GitHub gives to headings."""
    seen: Counter[str] = Counter()
    result = set()
    for heading in re.findall(r"^#+ +(.*?) *$", prose(path), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        result.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return result


@each_case("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        assert not anchor or anchor in anchors(target), link


def nav_pages() -> list[str]:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    return list(leaves(hooks().expand_folders(yaml.safe_load(text))))


def leaves(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from leaves(part)


def test_each_check_has_a_page_of_its_own_on_the_site() -> None:
    pages = hooks().check_pages()
    manual = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert list(pages) == [code.lower() for code in re.findall(r"^### ([A-Z]+\d+) ", manual, re.MULTILINE)]
    assert pages["wn301"].startswith("# WN301 wasted-penetration\n")
    assert "### " not in "".join(pages.values())
    for link, source, expected in (
        ("checks.md#wn301-wasted-penetration", "docs/ci.md", "checks/wn301.md"),
        ("#wn301-wasted-penetration", "docs/checks.md", "checks/wn301.md"),
        ("docs/checks.md#wn301-wasted-penetration", "README.md", "checks/wn301.md"),
        ("#rules", "docs/checks.md", "#rules"),
        ("printing.md#backs", "docs/ci.md", "printing.md#backs"),
    ):
        assert hooks().site_link(link, source) == expected


def test_the_site_lists_the_checks_in_tables() -> None:
    manual = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    index = hooks().check_index(manual)
    assert "### " not in index
    assert index.count("\n| [") == len(hooks().check_pages()) > 300
    row = "| [WN301 wasted-penetration](#wn301-wasted-penetration) | warning, certain | Penetration beyond"
    assert row in index.partition("\n## Rules\n")[2].partition("\n## ")[0]


def test_a_folder_in_the_navigation_is_its_pages() -> None:
    first, *others = hooks().expand_folders("decisions/")
    assert first == "decisions/README.md"
    assert len(others) > 5
    assert others == sorted(others)


def test_the_site_has_every_page_once() -> None:
    made = [*hooks().PAGES.values(), "gallery.md"]
    written = [path.relative_to(ROOT / "docs").as_posix() for path in PAGES if (ROOT / "docs") in path.parents]
    assert sorted(nav_pages()) == sorted([*made, *written])


@pytest.mark.parametrize(
    ("link", "source", "page"),
    [
        ("docs/printing.md", "README.md", "printing.md"),
        ("docs/pictures/kit.png", "README.md", "pictures/kit.png"),
        ("CONTRIBUTING.md", "README.md", "contributing.md"),
        ("../README.md", "docs/printing.md", "index.md"),
        ("printing.md", "docs/templates.md", "printing.md"),
        ("../../CONTRIBUTING.md", "docs/decisions/README.md", "../contributing.md"),
        ("0001-own-line-breaking.md", "docs/decisions/README.md", "0001-own-line-breaking.md"),
        ("cardgen/cli", "CONTRIBUTING.md", "cardgen/cli"),
    ],
)
def test_links_become_those_of_the_site(link: str, source: str, page: str) -> None:
    assert hooks().site_link(link, source) == page


@pytest.mark.parametrize(
    ("repository", "shown"),
    [
        ("", "See hooks and `x`, [b](missing/file.py), [c](printing.md)."),
        (
            "https://example.org/me/cardgen/",
            "See [hooks](https://example.org/me/cardgen/blob/main/editors/README.md) and "
            "[`x`](https://example.org/me/cardgen/blob/main/examples), [b](missing/file.py), [c](printing.md).",
        ),
    ],
)
def test_files_beside_the_site_are_linked_in_the_repository(
    repository: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPOSITORY_URL", repository)
    text = "See [hooks](../editors/README.md#a) and [`x`](../examples), [b](missing/file.py), [c](printing.md)."
    assert hooks().site_links(text, "docs/a.md") == shown


def test_code_keeps_its_links_and_gets_titles() -> None:
    text = "[a](../README.md#x)\n```yaml cards/a.yaml\n[a](../README.md)\n```\n[b](../LICENSE) and [c](https://x.y)\n"
    assert hooks().site_links(text, "docs/a.md") == (
        '[a](index.md#x)\n```yaml title="cards/a.yaml"\n[a](../README.md)\n```\n[b](license.md) and [c](https://x.y)\n'
    )
