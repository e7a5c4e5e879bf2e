"""The limit rules of Warcry cards: one line for each code."""

from cardgen.game import LimitRule

CHARACTERISTIC = LimitRule(
    "WC101",
    "characteristic-limits",
    "Move goes from 0 to 30 inches, Toughness from 1 to 12, Wounds from 1 to 60, points to 1000",
)
SHAPE = LimitRule("WC102", "weapon-shape", "a shape is a weapon's runemark, such as sword, ranged or claws")
LINE = LimitRule("WC103", "weapon-shorthand", "write NAME: SHAPE Rn An Sn Dn/n, such as 'Bow: ranged R3-15 A2 S3 D1/3'")
WEAPON = LimitRule(
    "WC104", "weapon-characteristics", "Range goes to 30 inches, Attacks and Strength to 12, Damage to 20"
)
CHANGE = LimitRule("WC105", "change-limits", "write a whole number within the limits; a change is +N or -N")
EMPTY_CHANGE = LimitRule("WC106", "silent-change", "say what changes, for instance {attacks: +1, weapon: melee}")
PRICE = LimitRule("WC107", "ability-price", "a price is double, triple or quad; or write reaction, action or free")
RUNEMARK_COUNT = LimitRule("WC108", "too-many-runemarks", "a fighter has a faction runemark and up to three others")
WEAPON_COUNT = LimitRule("WC109", "weapon-count", "a fighter has one weapon or two")
EMPTY_RULE = LimitRule("WC110", "silent-rule", "write what it does, or text for what cannot be said so")
BLESSING = LimitRule("WC111", "blessing-points", "a blessing costs 0 to 200 points, regular and elite")
MAP = LimitRule("WC112", "map-limits", "a battlefield is 12 to 72 inches long and wide; a point is [x, y] in inches")
ROSTER = LimitRule("WC113", "roster-limits", "up to 20 of a fighter, and from 1 to 10000 points")
PROXY_BASE = LimitRule("WC114", "miniature-base", "proxies are made for bases of 25, 28.5, 32, 40, 50 and 60 mm")
TOKEN = LimitRule("WC115", "token-count", "a token counts from 1 to 99")
