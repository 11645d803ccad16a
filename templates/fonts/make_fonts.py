"""Make the two fonts beside this file from the upstream release.

    npm pack @expo-google-fonts/noto-sans-sc@0.4.3     # or any other copy of these two files
    tar xzf expo-google-fonts-noto-sans-sc-0.4.3.tgz
    python templates/fonts/make_fonts.py package

Upstream is Noto Sans SC 2.004 as static TrueType files, in the npm package @expo-google-fonts/noto-sans-sc 0.4.3; other
files are refused (`SOURCES`). The same sources, the same texts and the same fontTools give the same bytes: the digests
of the results are written to `SHA256SUMS`; those there now were made with fontTools 4.68.0.

Kept are GB2312, the Latin, Greek and Cyrillic letters, marks, arrows, mathematics and shapes that the font has, every
character of this checkout's own texts, and the characters of `NAMES`. The rest, three quarters of the font, is left
out: a PDF from the small files takes half the time. Run this again when a text uses a new character;
`tests/test_resources.py` says when.
"""

import argparse
import hashlib
from collections.abc import Iterator
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

SOURCES = {
    "NotoSansSC-Regular.ttf": (
        "400Regular/NotoSansSC_400Regular.ttf",
        "d45f67f0a7c0ca3f256950777ce6a61cc7ce5f9696d02900cbbaac25f8aa7d16",
    ),
    "NotoSansSC-Bold.ttf": (
        "700Bold/NotoSansSC_700Bold.ttf",
        "9a38ae0ab28cd5a256f9ea8e00dedc688aac17f7915fcb000572990afa956b96",
    ),
}
"""Result: its source below the upstream folder, and the source's SHA-256."""

BLOCKS = (
    range(0x0020, 0x0250),  # Latin
    range(0x0370, 0x0460),  # Greek, Cyrillic
    range(0x2000, 0x2300),  # punctuation, super- and subscripts, letterlike, number forms, arrows, mathematics
    range(0x2460, 0x2500),  # numbers in circles and brackets
    range(0x25A0, 0x2800),  # shapes, dingbats
    range(0x3000, 0x3040),  # CJK punctuation
    range(0xFF00, 0xFFF0),  # full-width forms
)
"""Kept as far as the font has them."""

NAMES = (
    "佀佺侹俍俫倓倢偲傒傕儁劼勍匋叆吔呁咥唞唻啰啱喆囍垚垟埇埈埗埜埼堃堉堌堎堽塆壎夆奡妡姈姞姮娍娫婳媖嫄嫕嫚嫪嬅嬛孆寯"
    "屾峂峇峣崀崟嵚巂廙弢弨弶彧忞忺悰惇惔愔愷憓憙抃拃掞攽敔敩斅斾旂旸旻昇昉昡昫昳昺晅晊晙晞晢晧晫晳暄暋暎暐暘暠暲暻曈"
    "曌曤朓杋杕杧枟柊栐栒栯桯桲梣梽梾棨棪棫棻棽楀楙榃榖槙槜樑橦汭沄沇沕沚沨沺泂泃泚洑洢洣洨洸洺浉浐浛浥浬浰浲浵涘涢淏"
    "淯渟渼湉湑湜湝湣湲湴溁溇溦溵滃滉滧滪漈漋漎漷漹漻潏潓潟潵潽澂澔澥澪澴濋濛濩濬瀌瀍瀞灃炆炑炘炟炣炤烔烜烝烺焌焗焜焞"
    "焠煁煇煐煓煟煴熇熜熥熺熿燊燋燏燚爁爔牁牂犇獴玓玕玗玘玙玚玞玠玡玥玧玬玱玹珅珌珝珣珰珵珸珹珺珽琀琁琄琇琋琎琟琡琤琫"
    "琯琲琹琿瑀瑃瑄瑅瑆瑊瑑瑔瑖瑝瑢瑧瑨瑬瑮瑱瑳瑸璆璈璒璕璘璟璠璥璦璪璬璮璱璲瓀瓘瓛甡甦畯皛皞皦盷眬睎睱瞋瞭瞾矞矻硁硙"
    "硚碃碏碨碶磏磻礌礐祇祊祎祏祐祲祹祾禇禋禑禔禛禤禩秾稑稙穣窅窣竑竘筜筥筦筼箓簃簉籥紘絜縯纁纮缊缐羑羱翀翃翙翚翯翽翾"
    "肸脩芃苳苺茀茓茝茞荁荘荙莙菂菓菭菶菼萩葖蒄蒐蒟蒨蒻蓂蓏蔀蔃蔘蔧蕗蕟蕡薀薁薳薸薿藟藠藦藨蘘虓袆贠赟邨釿鈜鋆锜锳镈镕"
    "镠闿阇陞韡頔頫颋颙飏飖骉骎髙鱀鱻鹍鹓鹔麐黇龑龢"
)
"""Not in GB2312, and common in the names of people, firms and places; 昇 is the first character of 昇腾."""

SPACES = frozenset(map(ord, "\t\n\r"))
"""Never drawn, so never looked for in the font."""


def base_characters() -> set[int]:
    """Which code points are kept whatever the texts say."""
    gb2312 = set()
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            gb2312 |= set(map(ord, bytes((row, cell)).decode("gb2312", "ignore")))
    return gb2312.union(*BLOCKS, map(ord, NAMES))


def texts(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Every text of the checkout that can come to paper: the data files, the code's own sentences, the examples."""
    for pattern in ("*.md", "templates/**/*", "evidence/**/*", "reportgen/**/*.py", "examples/*.toml", "examples/*.md"):
        for path in sorted(root.glob(pattern)):
            if path.is_file() and path.parent != HERE and path.suffix not in {".pyc", ".mo"}:
                yield path, path.read_text(encoding="utf-8")


def text_characters(root: Path = ROOT) -> set[int]:
    """Which code points the texts of the checkout use."""
    return {ord(character) for _, text in texts(root) for character in text} - SPACES


def make(source: Path, target: Path, characters: set[int]) -> tuple[int, int]:
    """Write the subset of `source` to `target`.

    Returns:
        How many characters and how many glyphs it has.
    """
    options = subset.Options()
    options.hinting = False
    options.recalc_timestamp = False
    options.harfbuzz_repacker = False  # else the bytes depend on whether uharfbuzz is installed
    options.name_IDs = ["*"]
    # halt and palt set full-width marks tight; the browser asks for them by itself.
    options.layout_features = ["kern", "locl", "ccmp", "vert", "halt", "palt", "pwid"]
    font: TTFont = subset.load_font(str(source), options)
    kept = characters & font.getBestCmap().keys()
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=kept)
    subsetter.subset(font)
    subset.save_font(font, str(target), options)
    return len(kept), len(font.getGlyphOrder())


def main() -> None:
    """Check the sources, write both fonts and their digests, and name what the font cannot draw."""
    parser = argparse.ArgumentParser(description="Make the report's two fonts from the upstream release.")
    parser.add_argument("source", type=Path, help="the unpacked upstream package")
    parser.add_argument("--out", type=Path, default=HERE, help="where to write; default: beside this file")
    arguments = parser.parse_args()
    wanted = base_characters() | text_characters()
    sums = []
    for name, (below, digest) in SOURCES.items():
        source = arguments.source / below
        found = hashlib.sha256(source.read_bytes()).hexdigest()
        if found != digest:
            parser.error(f"{source}: SHA-256 is {found}, not {digest}")
        target = arguments.out / name
        characters, glyphs = make(source, target, wanted)
        sums.append(f"{hashlib.sha256(target.read_bytes()).hexdigest()}  {name}\n")
        print(f"{name}: {characters} characters, {glyphs} glyphs, {target.stat().st_size} bytes")
    (arguments.out / "SHA256SUMS").write_text("".join(sums), encoding="ascii")
    lacking = text_characters() - TTFont(arguments.out / "NotoSansSC-Regular.ttf").getBestCmap().keys()
    for code in sorted(lacking):
        users = [str(path.relative_to(ROOT)) for path, text in texts() if chr(code) in text]
        print(f"U+{code:04X} {chr(code)!r} is not in the font; used in {', '.join(users)}")


if __name__ == "__main__":
    main()
