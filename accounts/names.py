"""Names that look alike, and names that nobody may take.

Each name is reduced to two texts: one without capitals and accents, and one in which each character is replaced by the
one that it looks like. Two names look alike if they share one of these texts. Which characters look like others says
the data of Unicode's confusables.txt (UTS #39, version 15.1), reduced to letters and digits that normalising does not
already make equal, and to scripts that are in use today. Small capitals are listed with the letters that they look
like.
"""

import re
import unicodedata

# Each word: what it looks like, `=`, and the characters that do. Those written from right to left are escaped.
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
"""A character and what it looks like."""


# -- names -----------------------------------------------------------------------------------------------

LONGEST_SKELETON = 120

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]")
"""Marks that are put on any letter. Marks of one script only, such as vowel signs, are part of its words."""

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that are invisible."""

_PAIRS = (("rn", "m"), ("vv", "w"))

_WORDS = """
admin administrator anonymous bank bot clock everybody everyone genius host hosts me mod moderator nobody none null
official operator owner player root server spectator staff superuser support system team undefined unknown webmaster you
"""
RESERVED = frozenset(_WORDS.split())
"""Names that could be taken for the site, for somebody with rights, or for a word of the site."""


def skeleton(name: str) -> str:
    """A text that is the same for all names that look alike."""
    shown = "".join(map(_shown, _bare(name))).casefold()
    for pair, letter in _PAIRS:
        shown = shown.replace(pair, letter)
    return _joined(shown)[:LONGEST_SKELETON]


def looks(name: str) -> frozenset[str]:
    """The two texts of a name. Names that share one look alike."""
    return frozenset((skeleton(name), _joined(_bare(name).casefold())))


def is_reserved(name: str) -> bool:
    """Whether nobody may take this name, also if it is written with a 1 for an i or the like. Names of dots alone mean
    something else in an address."""
    return (name != "" and not name.strip(".")) or _coarse(name) in _RESERVED_SHOWN


def _coarse(name: str) -> str:
    return skeleton(name).replace("i", "l").replace("-", "")


def _bare(name: str) -> str:
    """Without accents, and with plain letters instead of Unicode's styled ones. What is much longer than any name is
    cut first: putting accents in order takes as long as the square of their number."""
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", name[: 4 * LONGEST_SKELETON]))


def _shown(character: str) -> str:
    """What a character looks like. A small letter may look like its capital: к and K."""
    if character.isascii():
        return LOOKS_LIKE.get(character, character)
    return LOOKS_LIKE.get(character) or LOOKS_LIKE.get(character.upper(), character)


def _joined(text: str) -> str:
    """The words of a name, with one separator for all, and without invisible characters."""
    return "-".join("".join(map(_separated, text)).split()) or text


def _separated(character: str) -> str:
    kind = unicodedata.category(character)
    if kind[0] in "ZP" or character.isspace():
        return " "
    return "" if kind in ("Cc", "Cf") or character in BLANKS else character


_RESERVED_SHOWN = frozenset(map(_coarse, RESERVED))
