"""Makes pictures of the studio: `python docs/pictures/studio.py`, with Playwright and Chromium."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
KIT = HERE.parent.parent / "cards" / "warniris"
TABLE = HERE.parent.parent / "examples" / "low-tide" / "cards" / "catch.csv"
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
SCREEN, SEAT = {"width": 1080, "height": 608}, {"width": 390, "height": 844}
GAP = 20
# The views of the studio, each with what is there once it is complete.
VIEWS = {
    "/": ".cards-grid img",
    "/table?kind=warniris/relic": ".ag-cell:visible, .table-cards li",
    "/edit?file=cards/characters.yaml&card=warniris/character/maerin-vex": "[data-shown]",
    "/rules?card=warniris/character/maerin-vex": ".odds-table",
    "/print": ".sheet-stage img",
    "/play": "role=button[name=Begin]",
    "/template": "[data-shown]",
    "/new": "[data-testid=game]",
}
# Single pages, with what is there once they are complete; the last one shows an unsaved change.
PAGES = {
    "studio-cards": ("/", ".cards-grid img"),
    "studio-print": ("/print", ".sheet-stage img"),
    "studio-templates": ("/template?file=templates/warniris/relic.svg.j2", "[data-shown]"),
    "studio-rules": ("/rules?card=warniris/character/tamsin-of-the-nine-locks", "[data-testid=odds-legend]"),
}
MIDDLE = {"width": 1200, "height": 750}
CHANGED, CHANGE = "cards/characters.yaml", ("Twin Stilettos: CW R1 P3 D1", "Twin Stilettos: CW R1 P1 D2")
PATIENCE = 120_000
SHRUNK = {False: (760, 475), True: (312, 675)}
FILE = "cards/homebrew.yaml"
RELICS = """\
# Relics of our own table.
kind: relic
cards:
  - name: Field Lamp  # found in the tower
    motto: It burns without oil.
    text: Once per battle, at the start of its Activation, the bearer regains 2 Wounds.
  - name: Moth Cloak
    motto: Seen too late.
    effects:
      # Far away.
      - {when: attacked, if: {range_over: 20}, attacker: {mind: -1, spirit: -1}}
"""


@contextmanager
def running_studio() -> Iterator[str]:
    """Run the studio with the sample kit and some relics, and yield its URL."""
    folder = Path(tempfile.gettempdir(), "games")  # which the page of new projects shows
    folder.mkdir()
    try:
        project = folder / "homebrew"
        shutil.copytree(KIT, project / "cards")
        (project / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
        (project / FILE).write_text(RELICS, encoding="utf-8")
        command = [sys.executable, "-m", "cardgen", "studio", str(project), "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=project) as process:
            assert process.stdout
            yield process.stdout.readline().strip()
            process.terminate()
    finally:
        shutil.rmtree(folder)


def picture(browser: Any, url: str, card: str, size: dict[str, int], look: str, sentence: str = "") -> Image.Image:
    """Return the page of a card in a window of a size, in light or dark colors, perhaps with a sentence to add."""
    window = browser.new_page(viewport=size, color_scheme=look)
    window.goto(url)
    window.goto(f"{url.split('/?')[0]}/edit?file={FILE}&card=warniris/relic/{card}")
    window.wait_for_selector("[data-shown]")
    window.wait_for_selector(".form [data-path]")
    window.wait_for_function("/\\d/.test(document.querySelector('[data-testid=problem-count]').textContent)")
    window.wait_for_timeout(500)  # problems and fits reach the form
    if size is NARROW:
        window.evaluate("scrollTo(0, document.querySelector('.card-stage').getBoundingClientRect().top)")
    if sentence:
        window.locator(".sentence summary").click()
        window.get_by_label("As you would print it").fill(sentence)
        window.locator(".clauses").wait_for()
        window.wait_for_timeout(1500)
        window.evaluate("document.querySelector('.form').scrollTop = 1e6")
    content = Image.open(BytesIO(window.screenshot())).convert("RGB")
    window.close()
    return content


def table(browser: Any, url: str) -> Image.Image:
    """Return the table of Characters, two of which are selected, with a cell that is being edited."""
    window = browser.new_page(viewport={**WIDE, "height": 620}, color_scheme="light")
    window.goto(url)
    window.goto(f"{url.split('/?')[0]}/table?kind=warniris/character")
    window.wait_for_selector(".ag-cell")
    for row in (1, 2):
        window.locator(f".ag-row[row-index='{row}'] [col-id='ag-Grid-SelectionColumn'] input").check()
    window.locator(".ag-row[row-index='3'] [col-id='stats.body']").click()
    window.keyboard.press("Enter")
    settle(window)
    content = Image.open(BytesIO(window.screenshot())).convert("RGB")
    window.close()
    return content


def settle(window: Any) -> None:
    """Wait until cards are drawn, and looked at."""
    window.wait_for_timeout(2500)
    unfinished = window.locator(".studio-panel summary", has_text=re.compile("checking|looking"))
    unfinished.wait_for(state="detached", timeout=PATIENCE)
    window.mouse.move(0, 0)


def pages(browser: Any, url: str) -> dict[str, Image.Image]:
    """Return single pages, of a project with a template and then a text that is not saved, by the names of pictures."""
    window = browser.new_page(viewport=MIDDLE, color_scheme="light")
    window.set_default_timeout(PATIENCE)
    window.goto(url)
    origin, made = url.split("/?")[0], {}
    window.goto(f"{origin}/template")
    window.get_by_label("Layout or built-in template").select_option("warniris/relic.svg.j2")
    window.get_by_role("button", name="Add to the project").click()
    window.wait_for_url("**relic.svg.j2")
    for name, (path, sign) in PAGES.items():
        if name == [*PAGES][-1]:
            window.goto(f"{origin}/edit?file={CHANGED}")
            window.wait_for_selector("[data-shown]")
            window.locator(".cm-content").focus()
            window.keyboard.press("Control+a")
            window.keyboard.insert_text((KIT / "characters.yaml").read_text(encoding="utf-8").replace(*CHANGE))
            window.get_by_text("unsaved changes", exact=True).wait_for()
        window.goto(f"{origin}{path}")
        window.wait_for_selector(sign)
        if name == "studio-cards":
            window.get_by_test_id("kind").select_option("character")
        settle(window)
        made[name] = Image.open(BytesIO(window.screenshot())).convert("RGB")
    window.goto(f"{origin}/edit?file={CHANGED}")
    window.get_by_role("button", name="Discard").click()
    window.get_by_text("saved", exact=True).wait_for()
    window.close()
    return made


def found(browser: Any, url: str) -> Image.Image:
    """Return the form for a game of a spreadsheet, with what was found there."""
    window = browser.new_page(viewport={**WIDE, "width": 1200}, color_scheme="light")
    window.goto(url)
    window.goto(f"{url.split('/?')[0]}/new")
    section = window.get_by_role("region", name="New game from a spreadsheet")
    section.locator("input[multiple]").set_input_files(TABLE)
    section.get_by_text("1 file read").wait_for()
    window.wait_for_timeout(500)
    box = section.bounding_box()
    clip = {"x": 0, "y": box["y"] + 1, "width": 1200, "height": box["height"] + 15}
    content = Image.open(BytesIO(window.screenshot(clip=clip, full_page=True))).convert("RGB")
    window.close()
    return content


def beside(*pictures: Image.Image) -> Image.Image:
    """Return pictures of one height side by side."""
    width = sum(each.width for each in pictures) + GAP * (len(pictures) - 1)
    row = Image.new("RGB", (width, pictures[0].height), "white")
    left = 0
    for each in pictures:
        row.paste(each, (left, 0))
        left += each.width + GAP
    return row


def views(browser: Any, url: str, size: dict[str, int], look: str, columns: int) -> Image.Image:
    """Return all views in rows, in windows of a size, in light or dark colors."""
    context = browser.new_context(viewport=size, color_scheme=look)
    window = context.new_page()
    window.set_default_timeout(PATIENCE)
    window.goto(url)
    pictures = []
    for path, sign in VIEWS.items():
        window.goto(f"{url.split('/?')[0]}{path}")
        window.wait_for_selector(sign)
        settle(window)
        pictures.append(Image.open(BytesIO(window.screenshot())).convert("RGB").resize(SHRUNK[size is NARROW]))
    context.close()
    rows = [beside(*pictures[first : first + columns]) for first in range(0, len(pictures), columns)]
    page = Image.new("RGB", (rows[0].width, sum(row.height + GAP for row in rows) - GAP), "white")
    for number, row in enumerate(rows):
        page.paste(row, (0, number * (row.height + GAP)))
    return page


def battle(browser: Any, url: str) -> dict[str, Image.Image]:
    """Return the shared screen and two pages of players in the second turn of a battle that is played at random."""
    desk = browser.new_page(viewport=WIDE)
    desk.set_default_timeout(PATIENCE)
    desk.goto(url)
    desk.goto(f"{url.split('/?')[0]}/play")
    desk.get_by_label("Missions").check()
    desk.get_by_text("More options").click()
    desk.get_by_label("Seed of the dice").fill("lamp")
    desk.get_by_role("button", name="Begin").click()
    code = desk.locator(".play-letters").inner_text()
    server = desk.get_by_role("link", name="Open Shared screen").get_attribute("href").split("/#")[0]
    looks = {"The Ashen Oath": "light", "The Drowned Court": "dark"}
    seats = [join(browser, f"{server}/#{code}", name, SEAT, look) for name, look in looks.items()]
    screen = join(browser, f"{server}/#{code}", "Shared screen", SCREEN, "light")
    chance = random.Random(4)
    while "Turn 2" not in screen.locator(".time").inner_text() or screen.locator(".offers li").count() < 3:
        answer(seats, chance)
    seats[1].get_by_role("button", name="Show my secrets").click()
    for page in (screen, *seats):
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(500)
    content = [Image.open(BytesIO(page.screenshot())).convert("RGB") for page in (screen, *seats)]
    return {"studio-play": content[0], "studio-play-seat": beside(*content[1:])}


def join(browser: Any, address: str, name: str, size: dict[str, int], look: str) -> Any:
    """Return a window that has taken a seat or shows the screen of a battle."""
    page = browser.new_page(viewport=size, color_scheme=look)
    page.goto(address)
    page.get_by_role("button", name=name, exact=True).click()
    page.locator(".side").first.wait_for()
    return page


def answer(seats: list[Any], chance: random.Random) -> None:
    """Answer the question of the player who is asked."""
    for page in seats:
        step, is_asked = page.evaluate("[document.body.dataset.step, document.body.classList.contains('mine')]")
        if not is_asked:
            continue
        number, options = page.locator(".ask input[type=number]"), page.locator(".ask .options button:enabled")
        if number.count():
            number.fill(str(chance.randint(*(int(number.get_attribute(name)) for name in ("min", "max")))))
        elif options.count():
            options.nth(chance.randrange(options.count())).click()
        if page.locator(".ask button.primary").count():
            page.locator(".ask button.primary").click()
        page.wait_for_function("step => document.body.dataset.step !== step", arg=step)
    seats[0].wait_for_timeout(30)


def main() -> None:
    """Write the pictures."""
    with running_studio() as url, sync_playwright() as driver:
        executable = shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        phones = [picture(browser, url, "moth-cloak", NARROW, look) for look in ("light", "dark")]
        pictures = {
            "studio-edit": picture(browser, url, "field-lamp", WIDE, "light"),
            "studio-edit-dark": picture(browser, url, "moth-cloak", WIDE, "dark", "Enemies within 6 cm have "),
            "studio-edit-phone": beside(*phones),
            "studio-table": table(browser, url),
            "studio-new": found(browser, url),
            **pages(browser, url),
            "studio-views": views(browser, url, WIDE, "light", 2),
            "studio-views-dark": views(browser, url, WIDE, "dark", 2),
            "studio-views-phone": views(browser, url, NARROW, "light", 4),
            "studio-views-phone-dark": views(browser, url, NARROW, "dark", 4),
        }
        pictures |= battle(browser, url)
        browser.close()
    for name, content in pictures.items():
        content.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3).save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
