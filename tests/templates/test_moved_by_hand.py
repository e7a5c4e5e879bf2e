"""Boxes of the built-in templates, moved by hand: exactly as asked, or refused with a reason, and nothing else."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardgen.deck.deck import kind_of
from cardgen.diagnostic import CardgenError
from cardgen.editor.session import LoadedProject, Session
from cardgen.face.layout import PlacedBox
from cardgen.face.template.trace import PlacementError, TemplateEditor, Trace
from cardgen.model.card import Entry
from cardgen.rulesets.ruleset import games
from cardgen.studio.engine.answers import FaceDrawer
from cardgen.studio.engine.templates import with_text

ROOT = Path(__file__).parents[2]
# Each case takes every eighth face of a game, so that all of them together are 300 gestures or more.
CASES = 8
GESTURES = 3
_CHANGED = re.compile(r"[-+ ().\d]")


class Outcome(NamedTuple):
    """What became of a gesture: '' or why it was refused."""

    box: PlacedBox
    at: tuple[float, ...]
    refusal: str = ""


def random_place(dice: random.Random, box: PlacedBox) -> tuple[float, ...]:
    """A drag, a nudge, or a resize, as the page sends it."""
    x, y, width, height = (round(each, 2) for each in box.at)
    step = dice.choice([0.1, 0.5, 5.0, round(dice.uniform(0.01, 9), 2)]) * dice.choice([-1, 1])
    places = {
        "drag": (x + step, y + round(dice.uniform(-9, 9), 2), width, height),
        "nudge": (x + step, y, width, height),
        "resize": (x, y, max(width + step, 1), height),
        "corner": (x, y, max(width + step, 1), max(height + step, 1)),
    }
    return tuple(round(each, 2) for each in places[dice.choice(["drag", "drag", "nudge", "nudge", "resize", "corner"])])


class Faces:
    """The faces of a game whose templates are in a project."""

    def __init__(self, game: str, root: Path) -> None:
        for name in (game, "shared"):
            shutil.copytree(ROOT / "templates" / name, root / "templates" / name)
        shutil.copytree(ROOT / "cards" / game, root / "cards")
        (root / "cardgen.yaml").write_text(f"game: {game}\n", encoding="utf-8")
        self.root = root.resolve()
        self.loaded: LoadedProject = Session(self.root).ask(lambda loaded: loaded)
        self.drawer = FaceDrawer(self.loaded.project)
        cards = {(each.kind, each.card.template, each.card.back): each for each in reversed(self.loaded.deck.cards)}
        printed = [each for _, each in sorted(cards.items(), key=lambda pair: str(pair[0])) if kind_of(each).is_printed]
        self.all = [(each, back) for each in printed for back in (False, True)]

    def editor(self, file: Path, entry: Entry, back: bool) -> TemplateEditor:
        @cache
        def draw(text: str) -> Trace | None:
            try:
                return self.drawer.tracer(with_text(self.loaded, file, text).project, [entry], back=back)(entry)
            except CardgenError:
                return None

        return TemplateEditor(file, self.root, [draw])

    def outcomes(self, dice: random.Random, entry: Entry, back: bool, gestures: int) -> Iterator[Outcome]:
        """Move random boxes of a face, in the file that draws them."""
        trace = self.drawer.tracer(self.loaded.project, [entry], back=back)(entry)
        for _ in range(gestures if trace and trace.boxes else 0):
            assert trace
            index = dice.randrange(len(trace.boxes))
            files = [Path(each.file) for each in reversed(trace.boxes[index].sites)]
            editors = [self.editor(each, entry, back) for each in dict.fromkeys(files)]
            text = editors[0].file.read_text(encoding="utf-8")
            at = random_place(dice, editors[0].placed_boxes(text, trace)[index])
            for editor in editors:
                outcome = self.outcome(editor, index, at)
                if not outcome.refusal:
                    break
            yield outcome

    def outcome(self, editor: TemplateEditor, index: int, at: Any) -> Outcome:
        text = editor.file.read_text(encoding="utf-8")
        before = editor.draws[0](text)
        assert before
        box = editor.placed_boxes(text, before)[index]
        try:
            placed = editor.place(text, index, at, confirmed=True)
        except PlacementError as error:
            assert error.line or "copy" in str(error) or "open" in str(error)
            return Outcome(box, at, re.sub(r"\S+\.svg\.j2", "FILE", str(error)))
        after = editor.draws[0](placed.text)
        assert after
        require_moved(before, after, index, at)
        assert len(placed.text.split("\n")) == len(text.split("\n"))
        assert _CHANGED.sub("", placed.text) == _CHANGED.sub("", text)
        return Outcome(box, at)


def require_moved(before: Trace, after: Trace, index: int, at: tuple[float, ...]) -> None:
    """Require that a box is where it should be, and that only what the same places draw has moved along."""
    moved = after.boxes[index]
    asked = [number for number in range(4) if abs(at[number] - before.boxes[index].box[number]) >= 0.006]
    for number in asked:
        # Of what is round, and of emblems, the height follows from the width.
        if number < 3 or 2 not in asked or moved.tag not in ("circle", "function"):
            assert moved.box[number] == pytest.approx(at[number], abs=0.006), (moved.tag, at, moved.box)
    if not {2, 3} & {*asked}:
        assert moved.box[2:] == pytest.approx(before.boxes[index].box[2:], abs=0.006)
    files = {site.file for site in before.boxes[index].sites}
    for one, other in zip(before.boxes, after.boxes, strict=True):
        assert one.tag == other.tag
        if one.box != pytest.approx(other.box, abs=0.0005):
            assert {each.file for each in one.sites} & files
            assert {each[:1] + each[2:3] for each in one.sites} & {
                each[:1] + each[2:3] for each in before.boxes[index].sites
            }


@pytest.mark.share(CASES * 2)
@pytest.mark.parametrize("part", range(CASES))
@pytest.mark.parametrize("game", sorted(games()))
def test_random_gestures_move_exactly_what_they_should(game: str, part: int, tmp_path: Path) -> None:
    faces, dice = Faces(game, tmp_path), random.Random(f"{game} {part}")
    outcomes = [
        outcome for entry, back in faces.all[part::CASES] for outcome in faces.outcomes(dice, entry, back, GESTURES)
    ]
    # Only paths are drawn where nobody can move them by hand.
    assert any(not each.refusal for each in outcomes)
    for each in outcomes:
        if each.refusal and not each.box.name.startswith(("path", "poly")):
            assert re.search(r"size|wide|turned|copy|open|edit", each.refusal)
