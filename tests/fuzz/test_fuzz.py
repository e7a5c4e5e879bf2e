"""Whatever strangers write: the whole way ends in files or in located messages, and it ends.

A usual run takes 100 cases. The environment's FUZZ_CASES sets another number; `make fuzz CASES=…` and the nightly job
take many.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardgen.builds.builder import Builder
from cardgen.deck.deck import load_deck, require_game
from cardgen.diagnostic import CardgenError, format_diagnostic
from cardgen.print.render import LAYOUTS, CardRenderer, lay_out
from cardgen.print.request import BuildRequest, ProgressCounter, print_setup
from cardgen.reference_sheets.make_sheets import SheetRequest, make_sheets
from cardgen.text.fonts import Fonts
from tests.fuzz.material import DRAWN, ICON, JINJA, KEYS, SETTINGS, SHEET, SHEET_WORDS, SVG, TRANSCRIPT_WORDS
from tests.fuzz.mutation import mutated, nasty
from tests.fuzz.plausible import PlausibleCards
from tests.hostile.transcripts import attack, judge, places, unfinished_battle, with_value
from tests.projects import FRONT, MINION

ROOT = Path(__file__).parents[2]
CASES = int(os.environ.get("FUZZ_CASES", "100"))
# A case that takes longer hangs; then the run ends with the place where it hung.
PATIENCE = 120
# The cases have that limit each, whatever their number.
pytestmark = pytest.mark.timeout(0)
TEMPLATES = ROOT / "templates" / "warniris"
_FONTS = Fonts()
ENDS: Counter[str] = Counter()


def fuzzed(share: float) -> settings:
    """A share of all cases; FUZZ_CASES draws them anew in every run."""
    checks = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)
    return settings(max_examples=max(1, int(CASES * share)), deadline=None, suppress_health_check=checks)


@pytest.fixture(scope="module", autouse=True)
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project that all cases share; each writes its own files into it."""
    root = tmp_path_factory.mktemp("fuzz")
    with contextlib.chdir(root):
        yield root


def written(files: dict[str, str]) -> None:
    """These files and no others, in the current folder."""
    for path in Path.cwd().rglob("*"):
        if path.is_file():
            path.unlink()
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8", "surrogatepass"))


def whole_way(files: dict[str, str], *, export: bool, name: str = "") -> None:
    """Load, draw, impose, and write some: nothing but a CardgenError may come of it, and that can be shown."""
    written(files)
    ends(build if export else draw, name)


def build() -> None:
    Builder(BuildRequest(cache=False, formats=("pdf", "svg"))).build()


def draw() -> None:
    project, deck = load_deck(())
    cards = [entry for entry in deck.cards if require_game(entry.game, entry.workspace).kinds[entry.kind].is_printed]
    made = CardRenderer(project, fonts=_FONTS).render_all(cards, ProgressCounter(), backs=False)
    if project.settings.layout in LAYOUTS:
        lay_out(made, None, print_setup(project, BuildRequest()), "test", _FONTS)


def ends(task: Callable[[], object], name: str = "") -> None:
    """Run a task that ends well or in a CardgenError, and soon; count how it ended, and how those of a name do."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        task()
        ENDS["built"] += 1
        ENDS[f"{name} built"] += 1
    except CardgenError as error:
        assert error.diagnostics
        for diagnostic in error.diagnostics:
            assert format_diagnostic(diagnostic)
            assert diagnostic.place.file
        ENDS["refused"] += 1
        ENDS[f"{name} refused"] += 1
    finally:
        faulthandler.cancel_dump_traceback_later()


def single_cards() -> tuple[str, ...]:
    """Every card of the kit and of the templates' tests, in a file of its own."""
    found = []
    for path in (*(ROOT / "cards/warniris").glob("*.yaml"), ROOT / "tests/templates/cards/extremes.yaml"):
        data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
        kind = {"kind": data["kind"]} if "kind" in data else {}
        found += [{**kind, **card} for card in data["cards"] if "art" not in card]
    return tuple(yaml.safe_dump(card, allow_unicode=True, sort_keys=False, default_flow_style=None) for card in found)


CARDS = single_cards()
FRONTS = tuple(
    (TEMPLATES / f"{kind}.svg.j2").read_text(encoding="utf-8") for kind in ("minion", "minion.long", "relic", "mission")
)  # fmt: skip
THEME = (TEMPLATES / "theme.yaml").read_text(encoding="utf-8")
WEAPON = MINION + "motto: Words.\nweapons:\n  - Knife: CW R1 P1 D1\n"
EXPORT = st.integers(0, 19).map(lambda number: number == 0)


PLAUSIBLE = PlausibleCards(CARDS).strategy()
# Values of JSON that are hardly ever right.
JSON = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), st.just([]), st.just({}),
                 st.sampled_from(["\ud800", [[]], {"a": []}, 10**300, "x" * 3000]))  # fmt: skip


@fuzzed(0.15)
@given(PLAUSIBLE, EXPORT)
def test_cards_that_are_mostly_right(text: str, export: bool) -> None:
    whole_way({"cards/a.yaml": text}, export=export, name="plausible")


@fuzzed(0.1)
@given(mutated(CARDS, KEYS), EXPORT)
def test_cards(text: str, export: bool) -> None:
    whole_way({"cards/a.yaml": text}, export=export)


@fuzzed(0.05)
@given(st.lists(nasty(KEYS), max_size=20).map(" ".join), EXPORT)
def test_cards_that_nobody_wrote(text: str, export: bool) -> None:
    whole_way({"cards/a.yaml": text}, export=export)


@fuzzed(0.08)
@given(mutated((*FRONTS, FRONT), JINJA), EXPORT)
def test_templates(text: str, export: bool) -> None:
    whole_way({"cards/a.yaml": WEAPON, "templates/warniris/minion.svg.j2": text}, export=export)


@fuzzed(0.05)
@given(st.lists(nasty((*JINJA, *SVG)), max_size=20).map("".join), EXPORT)
def test_templates_that_nobody_wrote(text: str, export: bool) -> None:
    body = f'<svg xmlns="http://www.w3.org/2000/svg">{text}</svg>'
    whole_way({"cards/a.yaml": WEAPON, "templates/warniris/minion.svg.j2": body}, export=export)


@fuzzed(0.07)
@given(mutated((DRAWN,), SVG), st.integers(0, 3).map(lambda number: number == 0))
def test_drawings(text: str, export: bool) -> None:
    raw = text.replace("{{", "{ {").replace("{%", "{ %").replace("{#", "{ #")
    whole_way({"cards/a.yaml": MINION, "templates/warniris/minion.svg.j2": raw}, export=export)


@fuzzed(0.05)
@given(mutated((THEME, SETTINGS), ("#fff", "text", "display", "body", ".inf", "1e5", "[]", "{}")), EXPORT)
def test_themes_and_settings(text: str, export: bool) -> None:
    name = "cardgen.yaml" if "paper" in text and "ornaments" not in text else "templates/warniris/theme.yaml"
    whole_way({"cards/a.yaml": MINION, name: text}, export=export)


@fuzzed(0.05)
@given(mutated((ICON,), SVG), EXPORT)
def test_icons(text: str, export: bool) -> None:
    card = MINION + "text: An {own} icon.\n"
    front = FRONT.replace("</svg>", "{{ icon('own', 9, 9, 9) }}</svg>")
    whole_way({"cards/a.yaml": card, "icons/own.svg": text, "templates/warniris/minion.svg.j2": front}, export=export)


@fuzzed(0.05)
@given(mutated((SHEET,), SHEET_WORDS), st.sampled_from(("pdf", "html")))
def test_sheets_and_their_tables(text: str, form: str) -> None:
    written({"sheets/own.yaml": text})
    ends(lambda: make_sheets(SheetRequest(sheets=("own",), formats=(form,))), "sheets")


def ends_in_messages(transcript: str) -> None:
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    messages = judge(transcript.encode("utf-8", "surrogatepass"))
    faulthandler.cancel_dump_traceback_later()
    ENDS["refused" if messages else "built"] += 1


@fuzzed(0.05)
@given(st.data())
def test_transcripts_with_other_letters(data: st.DataObject) -> None:
    written({})
    texts = (attack(), unfinished_battle("warniris"), unfinished_battle("warcry"))
    ends_in_messages(data.draw(mutated(texts, TRANSCRIPT_WORDS)))


@fuzzed(0.05)
@given(st.integers(0, 3), st.integers(0, 10**6), st.integers(0, 10**6), JSON)
def test_transcripts_with_other_values(which: int, row: int, place: int, value: Any) -> None:
    written({})
    text = attack() if which < 2 else unfinished_battle("warniris" if which == 2 else "warcry")
    rows = [json.loads(line) for line in text.splitlines()]
    number = 0 if row % 2 else row % len(rows)
    paths = list(places(rows[number]))
    rows[number] = with_value(rows[number], paths[place % len(paths)], value)
    ends_in_messages("".join(json.dumps(each) + "\n" for each in rows))


def test_half_of_the_plausible_cards_are_accepted() -> None:
    built, refused = ENDS["plausible built"], ENDS["plausible refused"]
    if built + refused < 100:
        pytest.skip("too few cases")
    assert 0.3 < built / (built + refused) < 0.9, ENDS


def test_some_cases_were_built_and_some_refused() -> None:
    """Runs last: a run in which all cases end alike has tested little."""
    ended = ENDS["built"] + ENDS["refused"]
    if ended < CASES / 2 or "PYTEST_XDIST_WORKER" in os.environ:
        pytest.skip("other processes ran most of the cases")
    assert min(ENDS["built"], ENDS["refused"]) > CASES / 20, ENDS
