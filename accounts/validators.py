"""Validators for names, texts, time zones and passwords; each raises `ValidationError` with a sentence for its field.

Names must not look alike. Each is reduced to two texts: one without capitals and accents, and one in which each
character is replaced by the one that it looks like. Two names look alike if they share one of these texts. The
look-alikes come from Unicode's confusables.txt (UTS #39, version 15.1), reduced to letters and digits that normalising
does not already make equal, and to scripts in use today. Small capitals count as the letters that they resemble.
"""

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

# Each entry: a letter, `=`, and the characters that look like it. Right-to-left ones are escaped.
_TABLE = """
2=ƧƻϨᒿꙄꛯꝚ 3=ƷȜЗҘӠⳌꝪꞫ𑣊𖼻 4=Ꮞ𑢯 5=Ƽ𑢻 6=бᏮⳒ𑣕 7=𐓒𑣆 8=Ȣȣ৪੪𐌚 9=৭੧୨൭ⳊꝮ𑢬𑣌𑣖 A=ΑАᎪᗅꓮ𐊠𖽀 AA=Ꜳ AE=ÆӔ AO=Ꜵ AU=Ꜷ AV=ꜸꜺ AY=Ꜽ
B=ΒВᏴᗷꓐꞴ𐊂𐊡𐌁 C=СҪᏟⲤꓚ𐊢𐌂𐐕𐔜𑣩 D=ÐĐƉᎠᗞᗪꓓ E=ɆΕЕᎬⴹꓰ𐊆𑢦𑢮 F=ƑϜᖴꓝꞘ𐊇𐊥𐔥𑢢𑣂 G=ǤԌᏀᏳꓖ H=ĦΗНҢӇӉᎻᕼⱧⲎꓧ𐋏 II=ǁ\u05f0 J=ɈͿЈᎫᒍꓙꞲ
K=ΚКҚҞᏦᛕⱩⲔꓗꝀ𐔘 L=ŁᏞᒪⳐꓡ𐐛𐔦𑢣𑢲𖼖 M=ΜϺМӍᎷᗰᛖⲘꓟ𐊰𐌑 N=ƝΝⲚꓠ𐔓 O=ØƟΘΟθОѲӨՕ\u07c0০ଠ୦ዐᎤᎾᏫⲞⴱⵁⵔ〇ꓳꝊ𐊒𐊫𐐄𐓂𐔖𑓐𑢵𑣠 OE=Œ OO=ꚘꝎ P=ΡРᏢᑭᣖⲢꓑ𐊕
Q=ⵕ R=ƦᎡᏒᖇꓣ𐒴𖼵 S=ЅՏᏕᏚꓢ𐊖𐐠𖼺 T=ŦƮȾΤТҬᎢⲦꓔ𐊗𐊱𐌕𑢼𖼊 T3=Ꜩ U=ɄՍሀᏌᑌꓴ𐓎𑢸𖽂 V=Ѵ\u0667۷Ꮩᐯⴸꓦꛟ𐔝𑢠𖼈 W=ԜᎳᏔꓪ𑣦 X=ΧХҲᚷⲬⵝꓫꞳ𐊐𐊴𐌗𐔧
Y=ɎΥУҮҰᎩᎽⲨꓬ𐊲𑢤𖽃 Z=ƵȤΖᏃꓜ𑢩𑣥 a=ɑαаᴀꭺ aa=ꜳ ae=æӕ ao=ꜵ au=ꜷ av=ꜹꜻ ay=ꜽ b=ƀƂƃƄɓʙБЬвѢѣҌҍᏏᏼᑲᑳᖯ bl=Ы c=ȼсҫᴄⲥꮯ𐐽 d=đƌɖɗԁᏧᑯᴅꓒꭰ
dz=ʣ e=ɇеҽҿᴇꬲꭼ f=ƒքᵮẝꞙꬵ g=ƍǥɠɡɢԍցᏻᶃꮐ h=ħɦʜнћһհᏂᏲꚕꮋ i=ıɨɩɪιіӏᎥᵻᵼꙇꭵ𑣃 j=ɉϳјᴊꭻ k=ĸƙκкᴋⲕꮶ
l=łƖƗƚǀɫɭʟΙІӀ\u05d5\u05df\u0627\u0661۱\u07caᛁᣳⲒⳑⵏꓲꮮ𐊊𐌉𖼨 lO=Ю ls=ʪ lz=ʫ m=ʍмᴍꭑꮇ𑜀𑣣 n=ƞɲɳηոռᵰ
o=øɵοσоѳөօ\u05e1\u0629\u0647\u0665\u06be\u06c1\u06c3\u06d5۵\u06ff०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꝋꬽꬾꭴꮎꮻ𐐬𐓪𑣈𑣗 oe=œ oo=ꚙꝏ p=ƥρрᴘᴩᵽⲣꮲ
q=ʠԛգզ r=ɍɼɽʀгғᣴᴦᵲⲅꭇꭈꭱꮁꮢ rn=ɱᵯ s=ƽʂѕᣛᣵᵴꜱꮪ𐑈𑣁 t=ŧƫƭτтᎿᴛᵵꭲ tf=ꝷ ts=ʦ u=ʋυսᴜᵾꞟꭎꭒꮜ𐓶𑣘 ue=ᵫ uo=ꭣ v=νѵ\u05d8ᴠꮩ𑜆𑣀
w=ɯѡԝաᴡꝡꮃ𑓅𑜊𑜎𑜏 x=хᕁᕽ y=ƴɏɣʏγуүұყᶌỿꭚ𑣜 z=ƶȥʐᙆᴢᵶꮓ𑣄 Þ=Ϸ þ=ƿϸ ƅ=ьꮟ Ɔ=Ͻ Ə=Ә Ɛ=ԐᏋ ƨ=ϩᴤꙅ Ʃ=Σ ǝ=əә Ƕ=Ԋ ȝ=ʒӡჳⳍꝫ ȷ=յ Ɂ=ʔॽᎮ
ɂ=ꭾ Ʌ=ΛЛ\u0668 ɔ=ͻᴐↄ ɛ=εєԑⲉꞓꮛ ɜ=зᴈ ɰ=պ ɸ=φфⲫ ʌ=ᴧ ʘ=Ꙩ Ͱ=ᎨᎰⱵ Ͷ=И ͷ=иᴎ ͽ=ꜿ Γ=ГᎱⲄ Δ=Ⲇ Π=ПⲠ Φ=ФՓⲪ Ψ=ѰⲮ δ=ծẟ λ=Ⲗ π=пᴨ
χ=ⲭꭓꭕ ψ=ѱ ω=ⲱꙍꞷ ϗ=ⳤ Ͽ=Ꜿ Є=ⲈꞒ Ш=Ⲽ ш=ⲽ я=ᴙ љ=ꭠ Ѡ=Ꮗ \u05d9=ꞌ \u0669=१ ऽ=ઽ २=૨ ३=૩ ४=૪ ८=૮ ॱ=ൎ உ=௨ഉ ஐ=ஜജ ண=ണ ழ=ഴ ஶ=ശ
అ=ಅ ఆ=ಆ ఇ=ಇ ఒ=ಒ ఓ=ಓ ఔ=ಔ జ=ಜ ఞ=ಞ ణ=ಣ య=ಯ ఱ=ಱ ల=ಲ ౧=೧ ౨=೨ ౯=೯ จ=ຈ บ=ບ ป=ປ ฝ=ຝ พ=ພ ฟ=ຟ ย=ຍ Ⴀ=Ꞇ ᅳ=ー一ꟷ ᅵ=丨 ⱶ=ꮀ
Ⳇ=ノ丿 く=𡿨 へ=ヘ イ=亻 エ=工 カ=力 タ=夕 ト=卜 ニ=二 ハ=八 ロ=口囗 Ꙍ=Ꞷ
"""

LOOKS_LIKE: dict[str, str] = {
    character: shown
    for shown, _, characters in (word.partition("=") for word in _TABLE.split())
    for character in characters
} | {"I": "l", "1": "l", "|": "l", "0": "O"}
"""Maps each character to the one that it looks like."""


# -- names -----------------------------------------------------------------------------------------------

LONGEST_SKELETON = 120

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]")
"""Marks that can stand on any letter. Those of a single script, such as vowel signs, belong to its words."""

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that are invisible."""

_PAIRS = (("rn", "m"), ("vv", "w"))

_WORDS = """
admin administrator anonymous bank bot clock everybody everyone genius host hosts me mod moderator nobody none null
official operator owner player root server spectator staff superuser support system team undefined unknown webmaster you
"""
RESERVED = frozenset(_WORDS.split())
"""Names that could be mistaken for the site, for somebody with special rights, or for a word of the interface."""


def skeleton(name: str) -> str:
    """Return a text that is the same for all names that look alike."""
    shown = "".join(map(_shown, _bare(name))).casefold()
    for pair, letter in _PAIRS:
        shown = shown.replace(pair, letter)
    return _joined(shown)[:LONGEST_SKELETON]


def looks(name: str) -> frozenset[str]:
    """Return the two texts of a name. Names that share one look alike."""
    return frozenset((skeleton(name), _joined(_bare(name).casefold())))


def is_reserved(name: str) -> bool:
    """Whether nobody may take this name, even written with a 1 for an i or the like. Includes names of dots alone,
    which mean something else in an address."""
    return (name != "" and not name.strip(".")) or _coarse(name) in _RESERVED_SHOWN


def _coarse(name: str) -> str:
    return skeleton(name).replace("i", "l").replace("-", "")


def _bare(name: str) -> str:
    """Remove accents, and replace Unicode's styled letters by plain ones. Cuts overlong names first, since normalising
    takes time that grows with the square of the number of accents."""
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", name[: 4 * LONGEST_SKELETON]))


def _shown(character: str) -> str:
    """The character that this one looks like, directly or as its capital (к and K)."""
    if character.isascii():
        return LOOKS_LIKE.get(character, character)
    return LOOKS_LIKE.get(character) or LOOKS_LIKE.get(character.upper(), character)


def _joined(text: str) -> str:
    """Join the words of a name with one separator, without invisible characters."""
    return "-".join("".join(map(_separated, text)).split()) or text


def _separated(character: str) -> str:
    kind = unicodedata.category(character)
    if kind[0] in "ZP" or character.isspace():
        return " "
    return "" if kind in ("Cc", "Cf") or character in BLANKS else character


_RESERVED_SHOWN = frozenset(map(_coarse, RESERVED))


USERNAME_PATTERN = r"[A-Za-z0-9_.-]{2,30}"

validate_username = RegexValidator(
    # \Z and not $, which would let a trailing newline through.
    regex=re.compile(rf"\A{USERNAME_PATTERN}\Z"),
    message=(
        "Please use 2 to 30 characters: the letters a–z, digits, and _ . - "
        "(no spaces, no accents; your display name may have those)."
    ),
    code="invalid_username",
)


_JOINERS = "\u200c\u200d"
"""Invisible by themselves, but needed to write some scripts and emoji."""


def validate_visible(text: str) -> None:
    """Raise `ValidationError` for text without any visible character, or with invisible characters or ones that change
    the writing direction, because then the line could be read as something else. Tabs and line ends are fine."""
    bare = text.translate(dict.fromkeys(map(ord, _JOINERS)))
    lines = bare.replace("\t", " ").replace("\xa0", " ").splitlines()
    if not all(map(str.isprintable, lines)) or any(blank in bare for blank in BLANKS) or (text and not bare):
        raise ValidationError("Please use visible characters only, such as letters and digits.", code="not_visible")


def validate_not_reserved(name: str) -> None:
    """Raise `ValidationError` for a name that could be taken for the site itself, or for somebody with rights."""
    if is_reserved(name):
        raise ValidationError(
            "“%(name)s” is reserved, or looks like a name that is. Please choose another.",
            code="reserved_name",
            params={"name": name},
        )


class WordsOfTheSite:
    """Password validator: the site's own words do not count towards the length, since attackers try them first."""

    def __init__(self, words: Iterable[str], min_length: int = 8) -> None:
        longest_first = sorted({word.lower() for word in words if len(word) > 3}, key=len, reverse=True)
        self._words = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
        self._min_length = min_length

    def validate(self, password: str, user: object = None) -> None:
        """Raise `ValidationError` if too little is left without these words."""
        found = self._words.search(password)
        if found and len(self._words.sub("", password)) < self._min_length:
            raise ValidationError(
                "An attacker would try “%(word)s” first. Use at least %(length)d other characters as well.",
                code="password_of_the_site",
                params={"word": found[0], "length": self._min_length},
            )

    def get_help_text(self) -> str:
        return "Words that others would try first, such as this site’s name, do not count."


def is_time_zone(name: str) -> bool:
    """Whether times can be shown in the zone `name`.

    Tries to load the zone, because machines differ in the zones that they have. Names may come from a cookie, so
    anything odd just gives False (ZoneInfo refuses absolute and upward paths).
    """
    if not name or len(name) > 64:
        return False
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        return False
    return True


def validate_time_zone(name: str) -> None:
    if not is_time_zone(name):
        raise ValidationError(
            "“%(name)s” is not a known time zone. Names look like Europe/Berlin or UTC.",
            code="unknown_time_zone",
            params={"name": name},
        )


# -- passwords from breaches -----------------------------------------------------------------------------
# Looked up in a file on this machine, so nothing about a password is sent anywhere.


class NotBreached:
    """Password validator: refuses passwords in a list of leaked ones. The file at `path` has a line for each, which
    begins with its SHA-1 in hexadecimal, sorted, such as Pwned Passwords (40 GB; it is searched, never read whole)."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def validate(self, password: str, user: object = None) -> None:
        """Raise `ValidationError` if the password is in the list."""
        sought = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
        with self._path.open("rb") as file:
            places = range(file.seek(0, 2))
            # the end of the file sorts last
            place = bisect_left(places, sought, key=lambda place: _line_from(file, place) or b"~")
            if _line_from(file, place).startswith(sought):
                raise ValidationError(
                    "This password has leaked from another site, so others will try it first. Please choose another, "
                    "and change it wherever else you use it.",
                    code="password_breached",
                )

    def get_help_text(self) -> str:
        return "Your password can’t be one that has leaked from another site."


def _line_from(file: BinaryIO, place: int) -> bytes:
    """The first line that begins at or after an offset; empty if there is none."""
    file.seek(max(0, place - 1))
    if place:
        file.readline()
    return file.readline().upper()
