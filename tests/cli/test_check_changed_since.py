"""`cardgen check --changed-since`: what a branch causes, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cardgen as api
from cardgen.diagnostic import Severity
from tests.cli.commands import Program
from tests.products import ROOT
from tests.releases.test_run import git
from tests.tables.workbooks import xlsx

HEAL = "effects: [{when: turn_start, bearer: {heal: 2}}]\n"


class Branch:
    """A repository with a commit that has findings, and changes that are not committed."""

    def __init__(self, root: Path, cardgen: Program) -> None:
        self.root, self._cardgen = root, cardgen
        self.write("cardgen.yaml", "game: warniris\n")
        self.stone("cards/a.yaml", "Sun Stone", "so so")
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def stone(self, name: str, title: str, motto: str, *, heal: int = 1) -> None:
        effects = f"[{{when: turn_start, bearer: {{heal: {heal}}}}}]"
        self.write(name, f"kind: relic\nname: {title}\nmotto: {motto}\neffects: {effects}\n")

    def check(self, *arguments: str) -> list[str]:
        outcome = self._cardgen("check", "--changed-since", "HEAD", "--format", "concise", *arguments)
        assert outcome.code in (0, 1), outcome.err
        return outcome.out.splitlines()


@pytest.fixture
def branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cardgen: Program) -> Branch:
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))
    return Branch(folder, cardgen)


def test_what_was_there_is_not_shown(branch: Branch) -> None:
    (summary,) = branch.check()
    assert summary.startswith("clean: 1 file, 1 card")
    assert summary.endswith("1 older finding not shown")


def test_what_only_making_pieces_finds_is_old_where_it_was(branch: Branch) -> None:
    giant = "kind: character\nname: Toll Giant\nbase: 50\nmotto: Sew\nweapons: [Fist: CW R1 P1]\n"
    giant += "stats: {M: 2, B: 3, S: 2, W: 4, Mo: 8}\n"
    branch.write("cards/giant.yaml", giant)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "giant")
    branch.write("cards/giant.yaml", giant.replace("Sew", "Sow"))
    (summary,) = branch.check("--fit", "--ignore", "CG1", "--ignore", "WN2")
    assert summary.startswith("clean")
    branch.write("cards/giant.yaml", giant.replace("50", "55"))
    assert any("no proxy fits a base of 55 mm" in line for line in branch.check("--fit"))


def test_a_card_that_names_itself_is_told(branch: Branch) -> None:
    branch.write(
        "games/own/game.yaml",
        "game: own\nname: Own\nprefix: OW\nkinds: {cat: {fields: {rival: {type: card, kind: cat}}}}\n",
    )
    cats = "game: own\nkind: cat\ncards:\n  - {name: Ash, rival: Soot}\n  - {name: Soot, rival: Ash}\n"
    branch.write("cards/cats.yaml", cats)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "cats")
    branch.write("cards/cats.yaml", cats.replace("rival: Ash", "rival: Soot"))
    told, *_ = branch.check("--show-all")
    assert told.startswith("cards/cats.yaml:5:25: note[CG147]: 'Soot' refers to itself")


def test_what_the_branch_causes_is_shown(branch: Branch) -> None:
    branch.stone("cards/b.yaml", "Moon Stone", "go go", heal=2)
    finding, summary = branch.check()
    assert finding.startswith("cards/b.yaml:3:8: warning[CG201]: repeated word 'go'")
    assert summary.endswith("1 older finding not shown")


@pytest.mark.parametrize("name", ["cards/a.yaml", "cards/z.yaml"])
def test_a_finding_stays_old_in_a_line_that_changed_and_in_a_file_that_was_renamed(branch: Branch, name: str) -> None:
    motto = "so so la" if name == "cards/a.yaml" else "so so"
    (branch.root / "cards/a.yaml").unlink()
    branch.stone(name, "Sun Stone", motto)
    assert len(branch.check()) == 1


def test_the_same_finding_once_more_is_new(branch: Branch) -> None:
    branch.write("cards/a.yaml", (branch.root / "cards/a.yaml").read_text("utf-8").replace("so so", "so so, so so"))
    assert len(branch.check()) == 2


@pytest.mark.parametrize("name", ["0", "b"])
def test_of_two_cards_with_an_id_the_new_one_is_named(branch: Branch, name: str) -> None:
    """Cards are read in the order of their files, so the old card is the second one if the new file comes first."""
    branch.write(
        f"cards/{name}.yaml", "kind: relic\nname: Moon\nid: sun-stone\neffects: [{when: hit, bearer: {heal: 1}}]\n"
    )
    branch.write(
        f"cards/{name}.yaml",
        "kind: relic\nname: Moon\nid: sun-stone\nmotto: Calm.\neffects: [{when: turn_start, bearer: {heal: 2}}]\n",
    )
    finding, _ = branch.check()
    assert finding.startswith(f"cards/{name}.yaml:3:5: error[CG114]: duplicate id 'sun-stone'")


def test_a_number_that_moves_to_another_key_is_no_exchange(branch: Branch) -> None:
    card = (
        "game: diskwars\nkind: disk\nname: Brother Lamm\ndisk: small\nrole: hero\nfaction: order\nrace: Marshfolk\n"
        "recruitment: 18\ncommand: 2\nattack: 2\ncounter: 2\ntoughness: 3\nmovement: 4\nstamina: 1\n"
    )
    branch.write("cards/hero.yaml", card)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "hero")
    branch.write("cards/hero.yaml", card.replace("recruitment: 18", "cost: 18"))
    assert any("DW320" in each for each in branch.check())


def test_a_name_that_no_longer_exists_is_caused_by_who_removed_it(branch: Branch) -> None:
    branch.write("cards/w.yaml", "kind: warband\nname: Few\nmembers: [{character: Anna}]\n")
    stats = "{M: 3, B: 2, S: 2, W: 5, Mo: 10}"
    branch.write("cards/m.yaml", f"kind: character\nname: Anna\nstats: {stats}\nweapons: [Saber: CW R1 P1 D1]\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert len(branch.check()) == 1
    (branch.root / "cards/m.yaml").unlink()
    finding, _ = branch.check()
    assert finding.startswith("cards/w.yaml:3:")
    assert "Anna" in finding


def test_settings_and_games_are_those_of_then(branch: Branch) -> None:
    branch.write("cardgen.yaml", "game: warniris\npaper: a99\n")
    assert any("a99" in line for line in branch.check())


def test_it_works_from_any_folder_and_as_data(
    branch: Branch, monkeypatch: pytest.MonkeyPatch, cardgen: Program
) -> None:
    branch.stone("cards/b.yaml", "Moon Stone", "go go", heal=2)
    monkeypatch.chdir(branch.root / "cards")
    data = json.loads(cardgen("check", "--changed-since", "HEAD", "--json").out)
    assert [each["code"] for each in data["findings"]] == ["CG201"]
    assert data["since"] == {"release": "HEAD", "findings": 1}
    assert [each.code for each in api.check(changed_since="HEAD")] == ["CG201"]


@pytest.mark.parametrize("name", ["nope", "--output", ""])
def test_an_unknown_name_is_an_error(branch: Branch, cardgen: Program, name: str) -> None:
    outcome = cardgen("check", f"--changed-since={name}")
    assert outcome.code == 2
    assert "unknown release" in outcome.err


def test_a_release_outside_of_git_is_an_error(branch: Branch, cardgen: Program) -> None:
    branch.write("releases/v1.yaml", "format: 1\ncards:\ndate: 2026-01-01\n")
    outcome = cardgen("check", "--changed-since", "v1")
    assert outcome.code == 2
    assert (
        "the cards of release 'v1' are not in the project's Git repository\n  help: commit releases/v1.yaml"
        in outcome.err
    )


def test_a_lost_id_is_where_its_card_was(branch: Branch, cardgen: Program) -> None:
    heal = "effects: [{{when: turn_start, bearer: {{heal: {}}}}}]"
    cards = [f"  - name: Stone {number}\n    {heal.format(number)}\n" for number in (1, 2, 3)]
    branch.write("cards/b.yaml", f"kind: relic\ncards:\n{''.join(cards)}")
    branch.write("cards/c.csv", "kind,name,text\nrelic,Coin,It is round.\nrelic,Ring,It is rounder.\n")
    rows = [["name", "text"], ["Lamp", "It is bright."], ["Torch", "It is brighter."]]
    (branch.root / "cards/d.xlsx").write_bytes(xlsx(rows))
    branch.write("cardgen.yaml", "game: warniris\ntables: {cards/c.csv: {}, cards/d.xlsx: {kind: relic}}\n")
    assert cardgen("release", "v1").code == 0
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert len(branch.check()) == 1
    branch.write("cards/b.yaml", f"kind: relic\ncards:\n{cards[0]}{cards[2]}")
    branch.write("cards/c.csv", "kind,name,text\nrelic,Coin,It is round.\n")
    (branch.root / "cards/d.xlsx").write_bytes(xlsx(rows[:2]))
    (branch.root / "cards/a.yaml").unlink()
    stone, ring, torch, sun, _ = branch.check()
    assert stone.startswith("cards/b.yaml:4:5: warning[CG133]: no card has the id 'stone-2' of the release v1")
    assert ring.startswith("cards/c.csv:2:1: warning[CG133]: no card has the id 'ring' of the release v1")
    assert torch.startswith("cards/d.xlsx!A:A2: warning[CG133]: no card has the id 'torch' of the release v1")
    assert sun.startswith("releases/v1.yaml:")
    assert "'sun-stone' of the release v1; it was in cards/a.yaml" in sun
    full = cardgen("check", "--changed-since", "HEAD").out
    assert "this branch removed `- name: Stone 2` and 1 more line; restore them, or: write 'formerly: stone-2'" in full
    assert "this branch removed `relic,Ring,It is rounder.`; restore it, or: write 'formerly: ring'" in full
    assert "this branch removed `Torch, It is brighter.`; restore it, or: write 'formerly: torch'" in full
    assert "restore 'cards/a.yaml', or: write 'formerly: sun-stone'" in full


HERO = "kind: character\nname: NAME\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}\n"


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ("", "the card was removed since HEAD: take it out here, or restore it"),
        (f"id: ash\n{HERO.replace('NAME', 'Brave')}", "write 'Brave', as the card 'Ash' is called since HEAD"),
        (
            HERO.replace("NAME", "Brave"),
            "if 'Brave' is that card, add the line 'formerly: ash'",
        ),
        (
            "kind: character\nname: Cray\nstats: {M: 1, B: 1, S: 1, W: 2, Mo: 9}\n",
            "the card was removed or renamed since HEAD: restore it, write its new name, or take it out",
        ),
    ],
)
def test_a_reference_to_a_card_that_is_gone_says_so(change: str, advice: str, branch: Branch, cardgen: Program) -> None:
    branch.write("cards/hero.yaml", HERO.replace("NAME", "Ash"))
    branch.write("cards/w.yaml", "kind: warband\nname: Levy\nmembers:\n  - character: Ash\n")
    assert cardgen("release", "v1").code == 0
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    if change:
        branch.write("cards/hero.yaml", change)
    else:
        (branch.root / "cards/hero.yaml").unlink()
    found = [each for each in api.check(changed_since="HEAD") if each.code in ("CG115", "CG133")]
    assert [(each.code, each.help) for each in found if each.code == "CG115"] == [("CG115", advice)]
    assert ("CG133" in [each.code for each in found]) is ("id: ash" not in change)


def test_a_finding_whose_figures_change_elsewhere_stays_old(branch: Branch) -> None:
    horde = "kind: warband\nname: Levy\nminions:\n  - {minion: sentinel, qty: 18}\n"
    branch.write("cards/w.yaml", horde)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    branch.write("cards/w.yaml", horde.replace("18", "17"))
    assert len(branch.check()) == 1


def test_a_release_that_was_edited_is_one_finding_at_the_line(branch: Branch, cardgen: Program) -> None:
    assert cardgen("release", "v1").code == 0
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "release")
    branch.stone("cards/a.yaml", "Moon Stone", "so so")
    text = (branch.root / "releases/v1.yaml").read_text("utf-8")
    branch.write("releases/v1.yaml", text.replace("sun-stone", "moon-stone").replace("Sun Stone", "Moon Stone"))
    line = text[: text.index("sun-stone")].count("\n") + 1
    finding, _ = branch.check()
    assert finding == f"releases/v1.yaml:{line}:1: warning[CG133]: the release v1 was edited since HEAD (lost-id)"
    full = cardgen("check", "--changed-since", "HEAD").out
    assert "restore the file; write 'formerly: sun-stone' on the card that was renamed" in full
    branch.write("releases/v1.yaml", text.replace("format: 1", "format: 2"))
    (unread,) = branch.check()[:-1]
    assert "error[CG547]: unknown format 2" in unread
    branch.write("releases/v1.yaml", text)
    assert all("was edited" not in each for each in branch.check())
    (branch.root / "releases/v1.yaml").unlink()
    assert "releases/v1.yaml: warning[CG133]: the release v1 was removed since HEAD (lost-id)" in branch.check()


GERMAN = """\
translations:
  sun-stone:
    name: Sonnenstein
    source: {name: Sun Stone}
  moon-stone:
    motto: Ruhe von 2 bis 3
"""


def test_a_text_that_changed_is_found_at_its_translation(branch: Branch) -> None:
    """Also if nobody has recorded what that was made from. Nobody else is blamed for it later."""
    branch.write("cardgen.yaml", "game: warniris\nlanguages: [de]\n")
    branch.stone("cards/b.yaml", "Moon Stone", "It is calm from 2 to 3 in all of the valley.", heal=2)
    (sun, moon) = GERMAN.split("  moon")
    branch.write("cards/a.de.yaml", sun)
    branch.write("cards/b.de.yaml", f"translations:\n  moon{moon}")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert branch.check()[0].startswith("clean")
    branch.stone("cards/b.yaml", "Moon Stone", "It is calm from 4 to 3 in all of the valley.", heal=2)
    text = (branch.root / "cards/a.yaml").read_text("utf-8")
    branch.write("cards/a.yaml", text.replace("Stone", "Rock\nid: sun-stone"))
    since = "warning[CG145]: {} has changed since its translation (de): {} (stale-translation)"
    said = [
        "cards/a.de.yaml:3:11: " + since.format("'name' of 'Sun Rock'", "'Sun Stone' is now 'Sun Rock'"),
        "cards/b.de.yaml:3:12: "
        + since.format("'motto' of 'Moon Stone'", "'… is calm from 2 to 3 in …' is now '… is calm from 4 to 3 in …'"),
    ]
    assert branch.check()[:-1] == said
    branch.write("cards/b.de.yaml", (branch.root / "cards/b.de.yaml").read_text("utf-8").replace("von 2", "von 4"))
    assert branch.check()[:-1] == said[:1]
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "third")
    branch.stone("cards/c.yaml", "Dusk Stone", "Still here.", heal=3)
    assert not any("CG145" in each for each in branch.check())


def test_a_number_that_changed_is_written_into_its_translation(branch: Branch) -> None:
    """The finding stays at the translation, also if that has recorded its source, and names the new text."""
    branch.write("cardgen.yaml", "game: warniris\nlanguages: [de]\n")
    branch.stone("cards/b.yaml", "Moon Stone", "Calm from 2 to 3.", heal=2)
    source = "{motto: Calm from 2 to 3.}"
    branch.write(
        "cards/b.de.yaml", f"translations:\n  moon-stone:\n    motto: Ruhe von 2 bis 3\n    source: {source}\n"
    )
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    branch.stone("cards/b.yaml", "Moon Stone", "Calm from 2 to 4.", heal=2)
    (told,) = api.check(changed_since="HEAD")
    assert (told.place.file, told.place.span.line if told.place.span else 0) == ("cards/b.de.yaml", 3)
    assert [place.file for place, _ in told.related] == ["cards/b.yaml"]
    assert "write 'Ruhe von 2 bis 4', then run" in (told.help or "")
    branch.stone("cards/b.yaml", "Moon Stone", "Calm from 2 to many.", heal=2)
    (told,) = api.check(changed_since="HEAD")
    assert "translate it again" in (told.help or "")


def test_a_translation_that_is_gone_is_found_where_it_was(branch: Branch) -> None:
    branch.write("cardgen.yaml", "game: warniris\nlanguages: [de]\n")
    german = "translations:\n  sun-stone:\n    name: Sonnenstein\n    motto: So so\n"
    branch.write("cards/a.de.yaml", german)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    branch.write("cards/a.de.yaml", german.replace("    name: Sonnenstein\n", ""))
    found = [each for each in branch.check() if "any more" in each]
    gone = "note[CG141]: 'name' of 'Sun Stone' has no translation any more (de) (translation-gap)"
    assert found == [f"cards/a.de.yaml:2:3: {gone}"]
    (told,) = [each for each in api.check(changed_since="HEAD") if "any more" in each.message]
    assert told.help == "this branch removed `name: Sonnenstein`; restore it"


SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7H1Z"/></svg>\n'


def test_a_picture_that_is_gone_says_what_it_is_called_now(branch: Branch, cardgen: Program) -> None:
    branch.write("art/sun.svg", SQUARE)
    branch.write("icons/ray.svg", SQUARE.replace("7H1", "6H1"))
    branch.write("cards/t.yaml", "kind: token\nname: Ray\nicon: ray\n")
    branch.write("cards/a.yaml", f"{(branch.root / 'cards/a.yaml').read_text('utf-8')}art: art/sun.svg\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    (branch.root / "art/sun.svg").rename(branch.root / "art/moon.svg")
    (branch.root / "icons/ray.svg").unlink()
    art, icon, _ = branch.check()
    assert art.startswith("cards/a.yaml:5:6: error[CG120]: file 'art/sun.svg' not found")
    assert icon.startswith("cards/t.yaml:3:7: error[CG503]: 'icon' of 'Ray' contains the unknown icon 'ray'")
    full = cardgen("check", "--changed-since", "HEAD").out
    assert "write 'art/moon.svg', as the file is called since HEAD, or rename it to 'art/sun.svg'" in full
    assert "restore 'icons/ray.svg', which was removed since HEAD" in full


INN = """\
game: inn
name: Inn
prefix: IN
kinds:
  guest:
    fields:
      purse: {type: integer, label: Purse}
      mood: {type: choice, choices: [glad, sad], default: glad, label: Mood}
    example: {purse: 3}
checks:
  poor:
    code: IN301
    kind: guest
    when: purse < 1
    at: purse
    say: it cannot pay
    why: Nobody eats for nothing.
    wrong: {purse: 0}
    right: {purse: 1}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("wrong: {purse: 0}", "wrong: {purse: 2}", ":18:12: error[CG033]: the check does not report the wrong example"),
        ("example: {purse: 3}", "example: {purse: x}", ":9:14: error[CG033]: the example is not a valid guest: "
         "'purse' must be a whole number, not 'x'"),
        ("    example: {purse: 3}\n", "    example: {purse: 3, mood: bad}\n", ":9:14: error[CG033]: the example is "
         "not a valid guest: 'mood' must be glad or sad, not 'bad'"),
        ("purse: 3", "purse: 4", ""),
    ],
)  # fmt: skip
def test_examples_of_a_game_that_changed_are_run(branch: Branch, old: str, new: str, said: str) -> None:
    """A game's own page is only shown if somebody asks for it, and its mistakes would stay."""
    (branch.root / "games/inn").mkdir(parents=True)
    branch.write("games/inn/game.yaml", INN)
    branch.write("cards/g.yaml", "game: inn\nkind: guest\nname: Ann\npurse: 2\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert branch.check()[0].startswith("clean")
    assert old in INN
    branch.write("games/inn/game.yaml", INN.replace(old, new))
    found = branch.check()[:-1]
    assert [each.partition(" (")[0] for each in found] == ([f"games/inn/game.yaml{said}"] if said else [])


def test_findings_that_follow_from_others_are_no_older_ones(branch: Branch) -> None:
    """Of a card that cannot be read, what others find in its absence is neither told nor counted."""
    branch.write("cards/b.yaml", "kind: relic\nname: Moon\neffects: [{when: turn_start, bearer: {heal: 2}}]\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    branch.write("cards/b.yaml", "kind: relic\nnme: Moon\neffects: [{when: turn_start, bearer: {heal: 2}}]\n")
    error, summary = branch.check()
    assert error.startswith("cards/b.yaml:2:1: error[CG101]: unknown key 'nme'")
    assert summary.endswith("1 older finding not shown")


def test_what_changes_in_others_since_a_card_cannot_be_read_is_not_told(branch: Branch) -> None:
    text = (ROOT / "cards/warniris/characters.yaml").read_text("utf-8")
    branch.write("cards/c.yaml", text)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert branch.check()[0].startswith("clean")
    mind = "stats: {M: 2, B: 3, S: 4, W: 5, Mo: 12}"
    assert mind in text
    branch.write("cards/c.yaml", text.replace(mind, mind.replace("M:", "Q:")))
    error, summary = branch.check()  # without the card, another one would be an outlier
    assert error.startswith("cards/c.yaml:23:13: error[CG101]")
    assert summary.startswith("1 error:")


def test_a_release_without_a_tag_is_the_commit_of_its_file(branch: Branch, cardgen: Program) -> None:
    assert cardgen("release", "v1.0").code == 0
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "release")
    branch.stone("cards/b.yaml", "Moon Stone", "it has has it", heal=2)
    outcome = cardgen("check", "--changed-since", "v1.0", "--format", "concise")
    assert [line.split(":")[0] for line in outcome.out.splitlines()[:-1]] == ["cards/b.yaml"]


LINKED = [
    "cards/a.yaml",
    "cards",
    "cards/more/hosts.yml",
    "cards/more",
    "cards/rows.csv",
    "releases/v1.0.yaml",
    "releases",
    "art/ash.svg",
    "art",
    "games/own/game.yaml",
    "games",
    "cards/a.de.yaml",
]


@pytest.mark.parametrize("is_ignored", [False, True])
def test_nothing_is_read_behind_links_that_took_the_place_of_files(
    branch: Branch, tmp_path: Path, cardgen: Program, *, is_ignored: bool
) -> None:
    """A link in a folder that is walked is refused; one whose name comes from the base must be as well."""
    secret = tmp_path / "secret"
    branch.write(
        "cardgen.yaml", "game: warniris\nlanguage: en\nlanguages: [de]\ntables: {cards/rows.csv: {kind: relic}}\n"
    )
    branch.stone("cards/more/hosts.yml", "Moon Stone", "it waits in the well")
    branch.write("cards/rows.csv", "name,motto,text\nTide Stone,it waits,Once per game: heal 1 Wound.\n")
    branch.write("cards/a.de.yaml", "translations: {sun-stone: {motto: so so}}\n")
    branch.write("art/ash.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    branch.write("games/own/game.yaml", "name: Own\nkinds: {hero: {fields: {hit: number}}}\n")
    released = cardgen("release", "v1.0")
    assert released.code == 0, released.out + released.err
    if is_ignored:
        branch.write(".gitignore", "\n".join(f"/{name}" for name in LINKED))
    for name in LINKED:
        (secret / name).parent.mkdir(parents=True, exist_ok=True)
    for name in LINKED:
        if (branch.root / name).is_file():
            (secret / name).write_text("SECRET: 1\n" * 20)
    git(branch.root, "add", "-fA")
    git(branch.root, "commit", "-qm", "second")
    for name in LINKED:
        path = branch.root / name
        path.rename(tmp_path / "aside")
        path.symlink_to(secret / name)
        for form in ("full", "json", "sarif"):
            outcome = cardgen("check", "--changed-since", "HEAD", "--format", form)
            assert "SECRET" not in outcome.out + outcome.err, (name, form)
        path.unlink()
        (tmp_path / "aside").rename(path)


TROOPS = """\
name,house,grit,cost,status
Ada,Salt,3,20,done
Bea,Salt,4,22,done
Cid,Salt,5,25,done
Dan,Iron,3,20,done
Eva,Iron,4,21,done
Fay,Iron,6,30,draft
"""
KEEP = """\
game: keep
name: Keep
prefix: KP
unit: in
kinds:
  troop:
    fields:
      house: {type: choice, choices: [Salt, Iron], label: House}
      grit: {type: integer, min: 1, max: 20, label: Grit}
      cost: {type: integer, min: 1, max: 90, label: Cost}
    example: {house: Salt, grit: 3, cost: 20}
  oath:
    fields:
      keeper: {type: card, kind: troop, label: Keeper}
      weight: {type: integer, min: 0, max: 9, default: 1, label: Weight}
    example: {keeper: Ada}
pieces:
  yard: {piece: mat, width: 48in, height: 36in}
"""
KEEP_SETTINGS = """\
game: keep
bleed: 3mm
version_mark: true
tables:
  cards/troops.csv:
    kind: troop
    rows: row.status == 'done'
    columns: {status: null}
  cards/oaths.json: {kind: oath}
"""
OATHS = '[\n  {\n    "name": "First",\n    "keeper": "Dan",\n    "weight": 3\n  }\n]\n'
YARD = """\
kind: yard
name: Yard
zones:
  - {name: Salt, side: red, at: [0, 0], size: [9, 36]}
"""


@pytest.fixture
def keep(branch: Branch) -> Branch:
    """A game of its own with tables, in a commit without findings."""
    branch.write("games/keep/game.yaml", KEEP)
    branch.write("cardgen.yaml", KEEP_SETTINGS)
    branch.write("cards/troops.csv", TROOPS)
    branch.write("cards/oaths.json", OATHS)
    branch.write("cards/yard.yaml", YARD)
    (branch.root / "cards/a.yaml").unlink()
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    return branch


@pytest.mark.parametrize(
    ("name", "old", "new", "at", "said", "advice"),
    [
        ("cards/oaths.json", '"weight"', '"wieght"', "cards/oaths.json:5:5", "unknown key 'wieght'",
         'before this branch: `"weight": 3`; restore that value, or: write \'weight\''),
        ("cards/oaths.json", '    "keeper": "Dan",\n', "", "cards/oaths.json:3:5", "missing key 'keeper'",
         'this branch removed `"keeper": "Dan"`; restore it'),
        ("cards/oaths.json", '"Dan",', '"Dan"', "cards/oaths.json:4:20", "invalid JSON",
         'this branch changed `"keeper": "Dan",` to `"keeper": "Dan"`; change that back'),
        ("cards/oaths.json", ',\n    "weight": 3', "", "cards/oaths.json:4:5", "a part of 'First' was removed",
         'this branch removed'),
        ("cards/troops.csv", "Dan,Iron,3,20,done\n", "", "cards/troops.csv:4:1",
         "'Dan' was removed, but other cards still refer to it",
         "this branch removed `Dan,Iron,3,20,done`; restore it"),
        ("cards/troops.csv", "Dan,Iron,3,20,done", "Dan,Iron,3,done", "cards/troops.csv:5:", "unknown troop 'Dan'",
         "before this branch: `Dan,Iron,3,20,done`; restore that value"),
        ("cardgen.yaml", "==", "!=", "cardgen.yaml:7:", "1 card is not read any more: 'dan'",
         "before this branch: `rows: row.status == 'done'`; restore that value"),
        ("cardgen.yaml", "    rows: row.status == 'done'\n", "", "cardgen.yaml:6:5",
         "rows of 'cards/troops.csv' are cards now that were left out: 'Fay'",
         "this branch removed `rows: row.status == 'done'`; restore it"),
        ("cardgen.yaml", "version_mark: true\n", "", "cardgen.yaml:2:1", "the setting 'version_mark' was removed",
         "this branch removed `version_mark: true`; restore it"),
        ("cardgen.yaml", "bleed: 3mm", "bleed: 30mm", "cardgen.yaml:2:8", "the setting 'bleed' is 30 instead of 3",
         "before this branch: `bleed: 3mm`; restore that value"),
        ("cardgen.yaml", "bleed: 3mm", "bleed: 3cm", "cardgen.yaml:2:8", "the setting 'bleed' is 3 cm instead of 3 mm",
         "before this branch: `bleed: 3mm`; restore that value"),
        ("cardgen.yaml", "cards/troops.csv", "cards/troop.csv", "cardgen.yaml:5:", "file 'cards/troop.csv' not found",
         "before this branch: `cards/troops.csv:`; restore that value"),
        ("games/keep/game.yaml", "max: 9, default: 1", "max: 9, default: 10", "games/keep/game.yaml:15:",
         "must be between 0 and 9, not 10", "before this branch: `default: 1`; restore that value"),
        ("cards/troops.csv", "Bea,Salt,4", "Bea,Salt,14", "cards/troops.csv:3:10",
         "'grit' of 'Bea' is 14 instead of 4; the other 4 have 3 to 5",
         "before this branch: `grit: 4`; restore that value"),
        ("cards/troops.csv", "Bea,Salt", "Bea,Iron", "cards/troops.csv:3:5",
         "'house' of 'Bea' is 'Iron', and the cards around it have 'Salt'",
         "before this branch: `house: Salt`; restore that value"),
        ("cards/yard.yaml", "at: [0, 0]", "at: [40, 0]", "cards/yard.yaml:4:5",
         "reaches 1 in beyond the right edge of the mat of 48 x 36 in; it begins at [39, 0] at most, or is smaller",
         "before this branch: `at: [0, 0]`; restore that value"),
    ],
)  # fmt: skip
def test_a_slip_is_told_where_it_is_with_what_was_there(
    keep: Branch, name: str, old: str, new: str, at: str, said: str, advice: str
) -> None:
    text = (keep.root / name).read_text("utf-8")
    assert old in text
    keep.write(name, text.replace(old, new))
    found = {f"{each.place}: {each.message}": each.help or "" for each in api.check(changed_since="HEAD")}
    (told,) = [each for place, each in found.items() if place.startswith(at) and said in place] or [str(found)]
    assert told.startswith(advice), found


@pytest.mark.parametrize(
    ("row", "severity"), [("Bea,Iron,4", Severity.WARNING), ("Bea,Salt,4,9,done\nEve,Iron,4", Severity.NOTE)]
)
def test_a_new_card_may_stand_among_others(keep: Branch, row: str, severity: Severity) -> None:
    text = (keep.root / "cards/troops.csv").read_text("utf-8")
    keep.write("cards/troops.csv", text.replace("Bea,Salt,4", row))
    told = [each for each in api.check(changed_since="HEAD") if "the cards around it have 'Salt'" in each.message]
    assert [each.severity for each in told] == [severity]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cards/troops.csv", "Cid,Salt,5,25", "Cid,Salt,6,25"),
        ("cards/troops.csv", "Cid,Salt,5,25", "Cid,Salt,9,45"),
        ("cards/troops.csv", "3,20", "4,22"),
        ("cards/troops.csv", "30,draft\n", "30,draft\nGus,Salt,4,22,done\n"),
        ("cards/troops.csv", "30,draft", "30,done"),
        ("cardgen.yaml", "bleed: 3mm", "bleed: 4mm"),
        ("cardgen.yaml", "bleed: 3mm\n", ""),
        ("cards/yard.yaml", "size: [9, 36]", "size: [12, 36]"),
    ],
)
def test_changes_that_are_meant_are_not_blamed(keep: Branch, name: str, old: str, new: str) -> None:
    """A card may become the best of its kind, others may come, and many may become a little better."""
    text = (keep.root / name).read_text("utf-8")
    assert old in text
    keep.write(name, text.replace(old, new))
    assert [str(each) for each in api.check(changed_since="HEAD")] == []


@pytest.mark.parametrize("pattern", ["cards/*.yaml", "yard*"])
def test_cards_that_git_ignores_now_are_told_at_the_pattern(keep: Branch, pattern: str) -> None:
    for file in ("new", "old"):  # without a file before, and with one
        keep.write(".gitignore", f"output/\n{pattern}\n")
        found = [(str(each.place), each.help) for each in api.check(changed_since="HEAD")]
        assert (".gitignore:2:1", f"this branch added `{pattern}`; remove it") in found
        keep.write(".gitignore", "output/\n")
        git(keep.root, "add", "-A")
        git(keep.root, "commit", "-q", "--allow-empty", "-m", file)


@pytest.mark.parametrize("has_release", [False, True])
def test_nothing_else_is_said_of_cards_that_git_ignores_now(keep: Branch, cardgen: Program, has_release: bool) -> None:
    """Whatever changed in their file, with a reference to one."""
    troops = "kind: troop\ncards:\n  - {name: Gil, house: Iron, grit: 3, cost: 20}\n"
    troops += "  - {name: Hal, house: Iron, grit: 4, cost: 21}\n"
    keep.write("cards/more.yaml", troops)
    keep.write("cards/oath.yaml", "kind: oath\nname: Second\nkeeper: Gil\n")
    assert not has_release or cardgen("release", "v1").code == 0
    git(keep.root, "add", "-A")
    git(keep.root, "commit", "-qm", "more")
    keep.write(".gitignore", "more*\n")
    keep.write("cards/more.yaml", troops.replace("grit: 3", "grit: 5"))
    (told,) = api.check(changed_since="HEAD")
    assert (str(told.place), told.help) == (".gitignore:1:1", "this branch added `more*`; remove it")
    assert told.message.endswith("not read any more: 'gil' and 'hal'" if has_release else "not read any more: 'gil'")


@pytest.mark.parametrize(
    ("old", "new", "level"),
    [
        ("points: 975", "points: 976  # cardgen: ignore[wrong-points] nearly", Severity.WARNING),
        ("motto: Ring, and ride.", "motto: Ring, and and ride.  # cardgen: ignore[doubled-word] a bell", Severity.NOTE),
    ],
)
def test_a_new_comment_that_hides_an_error_weighs_more_than_one_that_hides_less(
    branch: Branch, old: str, new: str, level: Severity
) -> None:
    cards = (ROOT / "cards/warcry/last-lanterns.yaml").read_text("utf-8")
    branch.write("cards/last.yaml", cards)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "last")
    branch.write("cards/last.yaml", cards.replace(old, new))
    assert [(each.code, each.severity) for each in api.check(changed_since="HEAD")] == [("CG025", level)]


def test_what_a_limit_counts_is_told_among_other_mistakes(branch: Branch) -> None:
    """With a fix, too: the sum of a list names the cost that changed, whatever else is wrong with the card."""
    cards = (ROOT / "cards/warcry/last-lanterns.yaml").read_text("utf-8")
    branch.write("cards/last.yaml", cards)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "last")
    wrong = (
        cards.replace("points: 185", "points: 186")
        .replace("M: 8, T: 3", "M: 9, T: 3")
        .replace("M: 5, T: 5", "M: 6, T: 5")
        .replace("champion", "champoin")
    )
    branch.write("cards/last.yaml", wrong)
    (told,) = [each for each in api.check(changed_since="HEAD") if each.code == "WC121"]
    assert (told.help or "").startswith(
        "this branch changed `points: 185` to `points: 186`; change that back, or: write 976"
    )


def test_a_box_that_was_moved_off_the_card_is_told_with_what_fits(keep: Branch) -> None:
    layout = "size: [63.5, 88.9]\nboxes:\n  - {field: name, at: [5, 5, 53.5, 9]}\n"
    keep.write("games/keep/templates/oath.layout.yaml", layout)
    git(keep.root, "add", "-A")
    git(keep.root, "commit", "-qm", "layout")
    keep.write("games/keep/templates/oath.layout.yaml", layout.replace("[5, 5, 53.5", "[15, 5, 53.5"))
    (told,) = [each for each in api.check(changed_since="HEAD") if each.code == "CG147"]
    assert told.message == "the box reaches 5 mm beyond the right edge of the card of 63.5 x 88.9 mm"
    assert (
        told.help == "before this branch: `at: [5, 5, 53.5, 9]`; restore that value, or: write 'at: [10, 5, 53.5, 9]'"
    )
    assert told.place.span and told.place.span.line == 3


def test_only_one_thing_is_said_of_what_follows_from_a_change(keep: Branch) -> None:
    """A card that is far too dear is odd, but wrong first, and a picture is unused because a card names another one."""
    keep.write("art/ash.svg", SQUARE)
    keep.write("art/oak.svg", SQUARE.replace("7H1", "6H1"))
    cards = "kind: troop\ncards:\n  - {name: Gil, house: Iron, grit: 3, cost: 20, art: art/ash.svg}\n"
    cards += "  - {name: Hal, house: Iron, grit: 4, cost: 21, art: art/oak.svg}\n"
    keep.write("cards/more.yaml", cards)
    git(keep.root, "add", "-A")
    git(keep.root, "commit", "-qm", "art")
    keep.write("cards/more.yaml", cards.replace("oak", "ash"))
    (told,) = api.check(changed_since="HEAD")
    assert str(told.place) == "cards/more.yaml:4:58"
    assert "`art: art/oak.svg`" in (told.help or "")
    keep.write("cards/more.yaml", cards)
    keep.write("cards/troops.csv", TROOPS.replace("Cid,Salt,5,25", "Cid,Salt,5,250"))
    assert [each.code for each in api.check(changed_since="HEAD")] == ["KP100"]


def test_a_table_that_is_gone_says_what_it_is_called_now(keep: Branch) -> None:
    (keep.root / "cards/troops.csv").rename(keep.root / "cards/soldiers.csv")
    (told,) = [each for each in api.check(changed_since="HEAD") if each.code == "CG001"]
    assert (told.help or "").startswith("write 'cards/soldiers.csv', as the file is called since HEAD")
    (keep.root / "cards/soldiers.csv").unlink()
    (told,) = [each for each in api.check(changed_since="HEAD") if each.code == "CG001"]
    assert told.help == "restore 'cards/troops.csv', which was removed since HEAD"


def test_a_translation_that_was_copied_or_lost_as_a_file_is_told_once(keep: Branch) -> None:
    keep.write("cardgen.yaml", f"{KEEP_SETTINGS}language: en\nlanguages: [de]\n")
    names = {"ada": "Adelheid", "bea": "Beate", "cid": "Siegfried", "dan": "Daniel", "eva": "Evchen"}
    german = "".join(f"  {id_}: {{name: {name}}}\n" for id_, name in names.items())
    keep.write("cards/troops.de.yaml", f"translations:\n{german}")
    git(keep.root, "add", "-A")
    git(keep.root, "commit", "-qm", "german")
    keep.write("cards/troops.de.yaml", f"translations:\n{german.replace('Beate', 'Adelheid')}")
    (told,) = api.check(changed_since="HEAD")
    assert told.message == "this is the translation of 'Ada', and the text is 'Bea'"
    assert (told.help or "").startswith("before this branch: `name: Beate`; restore that value")
    keep.write("cards/troops.de.yaml", f"translation:\n{german}")
    (told,) = [each for each in api.check(changed_since="HEAD") if "not translated" not in each.message]
    assert told.code == "CG142"


def test_many_cards_that_were_removed_at_a_place_are_one_finding(keep: Branch, cardgen: Program) -> None:
    rows = TROOPS.splitlines(keepends=True)
    more = "".join(f"{name},Salt,3,20,done\n" for name in ("Gus", "Ida", "Jon", "Kai", "Lea", "Mia"))
    keep.write("cards/troops.csv", "".join(rows) + more)
    assert cardgen("release", "v1").code == 0
    git(keep.root, "add", "-A")
    git(keep.root, "commit", "-qm", "release")
    keep.write("cards/troops.csv", "".join(rows))
    (told,) = api.check(changed_since="HEAD")
    assert told.message.startswith("6 cards are not read any more: 'gus'")
    assert told.help == "restore the 6 cards that this branch removed here"


def test_a_text_with_a_colon_or_a_comma_is_offered_in_quotation_marks(branch: Branch) -> None:
    card = "kind: relic\ncards:\n  - {name: Moon, effects: [{when: turn_start, bearer: {heal: 2}}], motto: Soft}\n"
    branch.write("cards/m.yaml", card)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "moon")
    for text in ("Cut first: ask later", "Cut first, ask later"):
        branch.write("cards/m.yaml", card.replace("Soft", text))
        told, *_ = branch.check("--format", "full")
        assert told.startswith("cards/m.yaml:3:")
        assert any(f'put the text in quotes: motto: "{text}"' in line for line in branch.check("--format", "full"))


def test_a_value_of_a_release_is_told_with_what_it_was(branch: Branch, cardgen: Program) -> None:
    assert cardgen("release", "1.0").code == 0
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "release")
    (path,) = (branch.root / "releases").glob("*.yaml")
    text = path.read_text("utf-8")
    line = next(each for each in text.splitlines() if "Sun Stone" in each)
    path.write_text(text.replace(line, line.replace("Sun Stone", "Sun Stones"), 1), "utf-8")
    told = "\n".join(branch.check("--format", "full"))
    assert f"before this branch: `{line.strip()}`; restore that value, or: restore the file" in told


def test_a_table_that_the_settings_miss_is_told_without_its_translations(branch: Branch) -> None:
    settings = "game: warniris\nlanguage: en\nlanguages: [de]\ntables: {cards/storms.csv: {kind: relic}}\n"
    branch.write("cardgen.yaml", settings)
    branch.write("cards/storms.csv", "name,text\nGale,It blows.\n")
    branch.write("cards/storms.de.yaml", "translations: {gale: {text: Es weht.}}\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "storms")
    branch.write("cardgen.yaml", settings.replace("storms.csv", "storm.csv"))
    told = branch.check()
    assert any("cardgen.yaml:4" in line and "not found" in line for line in told)
    assert not any("rename or delete it" in line or "loose-translation" in line for line in told)


def test_a_drawing_that_ends_too_early_is_told_at_its_last_line(branch: Branch) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<path d="M0 0h9v9z"/>\n</svg>\n'
    branch.write("art/moon.svg", picture)
    branch.write("cards/a.yaml", (branch.root / "cards/a.yaml").read_text("utf-8") + "art: art/moon.svg\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "moon")
    branch.write("art/moon.svg", picture.replace("</svg>\n", ""))
    assert any(line.startswith("art/moon.svg:2:1: error[CG120]") for line in branch.check())


def test_a_text_and_its_translation_that_changed_places_are_to_be_exchanged(branch: Branch) -> None:
    branch.write("cardgen.yaml", "game: warniris\nlanguage: en\nlanguages: [de]\n")
    branch.write("cards/b.yaml", "kind: relic\nname: Moon\nmotto: It is late.\n" + HEAL)
    branch.write("cards/b.de.yaml", "translations:\n  moon: {motto: Es ist spät., source: {motto: It is late.}}\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "moon")
    branch.write("cards/b.yaml", "kind: relic\nname: Moon\nmotto: Es ist spät.\n" + HEAL)
    branch.write("cards/b.de.yaml", "translations:\n  moon: {motto: It is late., source: {motto: It is late.}}\n")
    told = "\n".join(branch.check("--format", "full"))
    assert "exchange 'Es ist spät.' and 'It is late.'" in told
    branch.write("cards/b.yaml", "kind: relic\nname: Moon\nmotto: It is late.\n" + HEAL)
    told = "\n".join(branch.check("--show-all"))
    assert "the translation is the text itself now: 'It is late.'" in told
