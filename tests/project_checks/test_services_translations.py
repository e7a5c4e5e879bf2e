"""What checks say of translations, and how they fit."""

from __future__ import annotations

import pytest

from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.runtime.workspace import Workspace
from cardgen.translate.catalog import fullest_boxes
from tests.projects import STATS, Folder

CODES = ("CG141", "CG142", "CG143", "CG144", "CG145", "CG146")


def findings(*, fit: bool = False) -> list[str]:
    found = check_project(CheckRequest(select=() if fit else CODES, fit=fit)).findings
    return [str(each.diagnostic) for each in found]


def test_gaps_and_what_fits_nothing(folder: Folder) -> None:
    folder.translated()
    folder.write("cardgen.yaml", "languages: [de, fr]\ntables: {cards/gulls.csv: {kind: minion}}\n")
    folder.write("cards/a.fr.yaml", "translations: {asch: {name: Cendre}, ash: {txt: x}}\n")
    folder.write("cards/b.fr.yaml", "translations: {}\n")
    folder.write("cards/a.fr.yml", "translations: {ash: {name: Cendre}}\n")
    assert findings() == [
        "cardgen.yaml:1:13: note[CG141]: de: 1 text not translated",
        "cardgen.yaml:1:17: note[CG141]: fr: 5 texts not translated",
        "cards/a.de.yaml:4:11: warning[CG145]: 'text' of 'Ash' has changed since its translation (de): "
        "'Deal 1 wound.' is now 'Deal 2 wounds.'",
        "cards/a.fr.yaml:1:16: warning[CG142]: no card has the id 'asch'; did you mean 'ash'?",
        "cards/a.fr.yaml:1:49: warning[CG142]: card 'ash' has no text 'txt'; did you mean 'text'?",
        "cards/a.fr.yml: warning[CG142]: the translations of these cards are read from 'cards/a.fr.yaml'",
        "cards/b.fr.yaml: warning[CG142]: no card file 'b' is beside this file of its translations",
    ]


def test_many_translations_of_no_card_are_one_finding(folder: Folder) -> None:
    folder.translated()
    unknown = "".join(f"  x{number}: {{name: Nichts}}\n" for number in range(30))
    folder.write("cards/a.fr.yaml", f"translations:\n{unknown}  ash: {{name: Cendre}}\n")
    message = "warning[CG142]: no card has 30 of the ids in this file: 'x0', 'x1', 'x2', …"
    assert [each for each in findings() if "CG142" in each] == [f"cards/a.fr.yaml:2:3: {message}"]


def test_a_card_that_was_renamed_is_what_its_earlier_id_means(folder: Folder) -> None:
    folder.write("cardgen.yaml", "languages: [de]\n")
    folder.write("cards/a.yaml", f"kind: minion\nname: Cinder\nformerly: ash\nstats: {STATS}\n")
    folder.write("cards/a.de.yaml", "translations: {ash: {name: Schlacke}}\n")
    assert "cards/a.de.yaml:1:16: warning[CG142]: no card has the id 'ash'; did you mean 'cinder'?" in findings()


def test_icons_numbers_and_terms_are_those_of_the_source(folder: Folder) -> None:
    folder.write("cardgen.yaml", "languages: [de]\nglossary: {de: {enemy: [Gegner], wound: Wunde}}\n")
    texts = {
        "right": ("Deal 2 Wounds {heart} to one enemy.", "Füge 1 Gegner 2 Wunden {heart} zu."),
        "icon": ("Gain {heart}.", "Gewinne {bolt}."),
        "number": ("Move 15 cm.", "Bewege dich 12 cm."),
        "comma": ("Move 1.5 cm.", "Bewege dich 1,5 cm."),
        "term": ("Choose an enemy.", "Wähle einen Feind."),
        "twice": ("Roll.", "Würfle."),
        "again": ("Roll.", "Wirf."),
        "copy": ("Trade for another hour.", "Trade for another hour."),
    }
    cards = "".join(f"  - {{name: {id_}, stats: {STATS}, text: '{source}'}}\n" for id_, (source, _) in texts.items())
    folder.write("cards/a.yaml", f"kind: minion\ncards:\n{cards}")
    lines = "".join(f"  {id_}: {{name: 'Die {id_}', text: '{text}'}}\n" for id_, (_, text) in texts.items())
    folder.write("cards/a.de.yaml", f"translations:\n{lines}")
    assert findings() == [
        "cards/a.de.yaml:3:43: warning[CG143]: the translation lacks the icon '{heart}' of its source and has the icon "
        "'{bolt}', which its source does not have",
        "cards/a.de.yaml:4:51: warning[CG143]: the translation lacks the number '15' of its source and has the number "
        "'12', which its source does not have",
        "cards/a.de.yaml:6:34: warning[CG144]: 'enemy' is 'Gegner' in the glossary",
        "cards/a.de.yaml:8:36: warning[CG144]: the same text is translated as 'Würfle.' at cards/a.de.yaml:7:36",
        "cards/a.de.yaml:9:34: warning[CG143]: the translation is a copy of its source",
    ]


def test_numbers_of_translations_may_be_words(folder: Folder) -> None:
    folder.write("cardgen.yaml", "languages: [de, fr, zh-Hans, ko, sv]\n")
    text = "Draw 2 cards and 1 die, then lose 10."
    folder.write("cards/a.yaml", f"kind: minion\nname: Ash\nstats: {STATS}\ntext: {text}\n")
    texts = {
        "de": ("Ziehe zwei Karten und einen Würfel, dann verliere zehn.", "Ziehe Karten, dann verliere 10."),
        "fr": ("Piochez deux cartes et un dé, puis perdez-en dix.", "Piochez des cartes, puis perdez-en 10."),
        "zh-Hans": ("抽两张卡牌和一枚骰子，然后失去十点。", "抽卡牌和一枚骰子，然后失去十点。"),
        "ko": ("카드 두 장과 주사위 1개를 뽑고 10을 잃는다.", "카드 3장과 주사위 1개를 뽑고 10을 잃는다."),
        "sv": ("Dra två kort, och förlora sedan 10.", "Dra 3 kort, och förlora sedan 10."),
    }
    for is_wrong in (False, True):
        for language, pair in texts.items():
            folder.write(f"cards/a.{language}.yaml", f"translations: {{ash: {{text: '{pair[is_wrong]}'}}}}\n")
        found = {each.split(":")[0] for each in findings() if "CG143" in each}
        assert found == ({f"cards/a.{language}.yaml" for language in texts} if is_wrong else set())


def test_words_of_translations_are_looked_up(folder: Folder) -> None:
    """But for the one word of a sound, which no dictionary has in all languages."""
    pytest.importorskip("spellchecker", reason="the extra 'spelling' is not installed")
    folder.write("cardgen.yaml", "languages: [de, ja]\nspelling: [flirrt]\n")
    text = "motto: Woof!\ntext: It flickers and stays.\n"
    folder.write("cards/a.yaml", f"kind: minion\nname: Ash\nstats: {STATS}\n{text}")
    german = "{name: Glimmling, text: 'Glimmling flirrt und bleibbt.', motto: Wuff!}"
    folder.write("cards/a.de.yaml", f"translations: {{ash: {german}}}\n")
    folder.write("cards/a.ja.yaml", "translations: {ash: {name: 灰, text: ちらつく。, motto: ワン！}}\n")
    assert findings() == ["cards/a.de.yaml:1:67: warning[CG146]: unknown word 'bleibbt'"]


def test_every_language_fits(folder: Folder) -> None:
    folder.translated()
    folder.write("cards/a.fr.yaml", f"translations: {{ash: {{text: {'Inflige 2 blessures. ' * 20}}}}}\n")
    (misfit,) = [each for each in findings(fit=True) if "CG501" in each]
    assert misfit.startswith("cards/a.fr.yaml:1:28: error[CG501]: 'text' of 'Ash' is ")
    boxes = fullest_boxes(Workspace(), ["fr", "en-XA"])
    assert boxes[0][0] == "fr"
    assert boxes[0][1] > 1
    assert boxes[0][3:] == ("ash", "text")
    assert {box[0] for box in boxes} == {"fr", "en-XA"}
