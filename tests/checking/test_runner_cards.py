"""Wrong cards: each file says by its marks what is wrong with it, and nothing else is."""

from __future__ import annotations

from pathlib import Path

from cardgen.checking.check import expected_findings
from cardgen.project_checks.services import all_checks
from cardgen.runtime.fingerprint import PACKAGE
from tests.cases import each_case
from tests.checking.harness import checked, found_marks

RULESETS = PACKAGE / "rulesets"
CARDS = sorted((Path(__file__).parent / "cards").glob("*.yaml"))


def text_of(content: bytes) -> str:
    for encoding in ("utf-16", "utf-8") if content[:2] == b"\xff\xfe" else ("utf-8", "latin-1"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("no encoding fits")


def test_there_are_wrong_cards() -> None:
    assert len(CARDS) >= 60


@each_case("path", CARDS, ids=lambda path: path.stem)
def test_a_wrong_card_is_found_where_its_marks_say(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    expected = expected_findings(text_of(content))
    assert expected
    assert found_marks(checked(tmp_path, content)) == expected


def test_the_wrong_cards_leave_no_check_of_cards_out() -> None:
    found = {mark.code for path in CARDS for mark in expected_findings(text_of(path.read_bytes()))}
    about_files = {"CG001", "CG002", "CG007", "CG009", "CG010", "CG011", "CG012", "CG015", "CG020", "CG021", "CG022"}
    elsewhere = about_files | {"CG023", "CG030", "CG031", "CG106", "CG107", "CG108", "CG116", "CG117", "CG124"}
    elsewhere |= {"CG032", "WC116", "CG024", "CG130", "CG131", "CG132", "CG133", "CG134", "CG135", "CG136", "CG137"}
    elsewhere |= {"CG025", "CG147"}  # about branches
    elsewhere |= {"CG033", "CG034", "CG035", "CG109", "CG129"}  # about games and their fields
    elsewhere |= {"CG040", "CG041", "CG042", "CG043", "CG044", "CG140"}  # about tables
    elsewhere |= {"CG141", "CG142", "CG143", "CG144", "CG145", "CG146"}  # about translations
    # The examples in game files are run as well, so their checks need no wrong cards.
    elsewhere |= {each.code for each in all_checks().checks if (RULESETS / each.game / "game.yaml").is_file()}
    expected = {check.code for check in all_checks().checks if not check.needs_rendering}
    assert expected - found <= elsewhere
