"""Runemarks, the symbols by which rules refer to fighters, and weapon shapes.

Each has an id, for which cards may also write its name ('Icon Bearer'), and an original icon with that id. The factions
and grand alliances are those of the battlepack's battle traits. The battlepack names Agile, Ally, Beast, Berserker,
Brute, Hero, Icon Bearer, Minion, Monster, Mount, and Warrior; the other runemarks come from public sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import AfterValidator

from cardgen.game import MAX_NAME_LENGTH, Field, Text, slugify


def _by_id(names: str) -> Mapping[str, str]:
    """Return comma-separated names by their ids."""
    return MappingProxyType({slugify(name): " ".join(name.split()) for name in names.split(",")})


ALLIANCES = _by_id("Order, Chaos, Death, Destruction")

# The factions of each grand alliance.
FACTIONS_OF: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "order": _by_id("""
        Cities of Sigmar, Daughters of Khaine, Fyreslayers, Hunters of Huanchi, Idoneth Deepkin,
        Khainite Shadowstalkers, Kharadron Overlords, Lumineth Realm-lords, Seraphon, Stormcast Eternals,
        Stormcast Eternals Questor, Sylvaneth, Twistweald, Vulkyn Flameseekers, Wildercorps Hunters,
        Ydrilan Riverblades"""),
    "chaos": _by_id("""
        Beasts of Chaos, Blades of Khorne: Bloodbound, Blades of Khorne: Daemons, Chaos Legionnaires,
        Claws of Karanak, Corvus Cabal, Cypher Lords, Darkoath Savagers, Disciples of Tzeentch: Arcanites,
        Disciples of Tzeentch: Daemons, Hedonites of Slaanesh: Daemons, Hedonites of Slaanesh: Sybarites,
        Horns of Hashut, Iron Golem, Maggotkin of Nurgle: Daemons, Maggotkin of Nurgle: Rotbringers,
        Rotmire Creed, Scions of the Flame, Skaven, Slaves to Darkness, Spire Tyrants, Splintered Fang,
        Tarantulos Brood, The Jade Obelisk, The Unmade, Untamed Beasts"""),
    "death": _by_id("""
        Askurgan Trueblades, Flesh-eater Courts, Nighthaunt, Ossiarch Bonereapers, Pyregheists,
        Royal Beastflayers, Soulblight Gravelords, Teratic Cohort"""),
    "destruction": _by_id("""
        Bonesplitterz, Gloomspite Gitz, Gorger Mawpack, Ironjawz, Kruleboyz, Kruleboyz Monsta-killaz,
        Ogor Mawtribes"""),
})  # fmt: skip
FACTIONS: Mapping[str, str] = MappingProxyType({
    mark: name for factions in FACTIONS_OF.values() for mark, name in factions.items()
})  # fmt: skip
ROLES = _by_id("""
    Agile, Ally, Beast, Berserker, Brute, Bulwark, Champion, Destroyer, Elite, Fly, Frenzied, Gargantuan, Hero,
    Icon Bearer, Minion, Monster, Mount, Mystic, Priest, Scout, Terrifying, Trapper, Warrior""")
RUNEMARKS: Mapping[str, str] = MappingProxyType({**ALLIANCES, **FACTIONS, **ROLES})
SHAPES = _by_id("""
    Axe, Ball and Chain, Blast, Claws, Club, Dagger, Fangs, Hammer, Mace, Ranged, Reach, Scythe, Spear, Sword,
    Unarmed""")

# Id of a runemark; authors may also write its name.
Runemark = Annotated[Text, Field(max_length=MAX_NAME_LENGTH), AfterValidator(slugify)]
