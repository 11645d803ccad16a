from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from reportgen.model import Quantity
from reportgen.report import html
from reportgen.report.build import own_section
from reportgen.report.document import Number
from reportgen.report.notes import rendered
from reportgen.report.view import Edition
from reportgen.resources import templates_dir
from tests.report import odd_reports
from tests.report.explicit import explicit
from tests.report.sample_report import VARIANTS, sample_report

DIGEST = "c878a2969fdcffda97e2e11438893020547bb7ed42257f714ed0d5e71ed6f782"
REPORT = Path(html.__file__).parent
SECTIONS = tuple(sorted(path.stem for path in REPORT.glob("section_*.py")))
VOID = {"meta", "br", "img", "link", "input", "hr"}
LANGUAGES = ("zh", "en")
SIZE = 370_000


class Page(HTMLParser):
    """Tags in their nesting, attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(explicit(text))
        self.close()
        self.faults += [f"<{tag}> stays open" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if len({name for name, _ in attrs}) != len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def values(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.tags if name in attributes]


def render(name: str, language: str) -> str:
    report = sample_report(name) if name in VARIANTS else getattr(odd_reports, name)()  # type: ignore[arg-type]
    return html.render(report, language=language, digest=DIGEST)


MADE = [(name, language) for name in VARIANTS for language in LANGUAGES]
MADE += [("single_kernel", "en"), ("hostile", "zh"), ("one_side", "zh"), ("many_ranks", "en"), ("endless", "en")]
PAGES: dict[tuple[str, str], str] = {}


def page(name: str, language: str) -> str:
    if (name, language) not in PAGES:
        PAGES[name, language] = render(name, language)
    return PAGES[name, language]


@pytest.mark.parametrize(("name", "language"), MADE)
def test_the_page_is_whole_and_asks_for_nothing(name: str, language: str) -> None:
    text = page(name, language)
    parsed = Page(text)
    assert not parsed.faults
    assert "{{" not in re.sub(r"\{\{ 7 \* 7 \}\}", "", text)
    tags = {tag for tag, _ in parsed.tags}
    assert not tags & {"script", "link", "iframe", "object", "embed", "img", "base", "form", "video", "audio", "source"}
    assert not [name for _, attributes in parsed.tags for name in attributes if name.startswith("on")]
    assert not parsed.values("src")
    assert all(address.startswith("#") for address in parsed.values("href"))
    assert "url(http" not in text
    assert "@import" not in text


@pytest.mark.parametrize(("name", "language"), MADE)
def test_ids_are_unique_and_every_link_has_its_end(name: str, language: str) -> None:
    parsed = Page(page(name, language))
    ids = parsed.values("id")
    assert len(ids) == len(set(ids))
    assert {address[1:] for address in parsed.values("href")} <= set(ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_policy_allows_nothing(language: str) -> None:
    policy = [
        attributes["content"] for tag, attributes in Page(page("met", language)).tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]  # fmt: skip
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


@pytest.mark.parametrize(("name", "language"), MADE[: 2 * len(VARIANTS)])
def test_the_page_is_small(name: str, language: str) -> None:
    assert len(page(name, language).encode()) < SIZE


def test_the_same_report_gives_the_same_page() -> None:
    assert render("met", "zh") == page("met", "zh")


def test_the_language_is_named() -> None:
    assert '<html lang="zh-CN">' in page("met", "zh")
    assert '<html lang="en">' in page("met", "en")


@pytest.mark.parametrize(("name", "language"), MADE)
def test_section_numbers_are_consecutive(name: str, language: str) -> None:
    headings = re.findall(r'<h2 id="s-\w+"><span class="no">(\d+)</span>', page(name, language))
    assert [int(number) for number in headings] == list(range(2, len(headings) + 2))
    subheadings = re.findall(r'<h3><span class="no">(\d+)\.(\d+)</span>', page(name, language))
    counted: dict[str, int] = {}
    for section, number in subheadings:
        counted[section] = counted.get(section, 0) + 1
        assert int(number) == counted[section]


def test_without_a_target_there_is_neither_target_nor_verdict_nor_signature() -> None:
    text = page("no_target", "en")
    assert 's-target"' not in text
    assert 's-signoff"' not in text
    assert "not judged" in text
    assert 'class="verdict nothing"' in text
    assert "Without a target nothing is judged" in text


@pytest.mark.parametrize(
    ("variant", "look", "sign", "zh", "en"),
    [
        ("met", "met", "✓", "达标", "met"),
        ("not_met", "notmet", "×", "未达标", "not met"),
        ("undecided", "undecided", "?", "无法判定", "undecided"),
        ("not_comparable", "notcomparable", "≠", "不可比", "not comparable"),
    ],
)
def test_the_verdict_has_its_word_sign_and_look(variant: str, look: str, sign: str, zh: str, en: str) -> None:
    for language, word in (("zh", zh), ("en", en)):
        text = page(variant, language)
        assert f'<div class="verdict {look}">' in text
        assert f'aria-hidden="true">{sign}</span><span class="w">{word}</span>' in text


@pytest.mark.parametrize("variant", VARIANTS)
def test_nobody_is_told_that_the_work_is_accepted(variant: str) -> None:
    chinese, english = Page(page(variant, "zh")).text, Page(page(variant, "en")).text
    for word in ("合格", "通过", "优化了", "劣化"):
        assert word not in chinese
    for word in ("accepted", "passed", "significant", "improvement"):
        assert word not in english.lower()


def test_what_is_said_of_a_row_is_a_cell_of_its_own_and_in_no_sentence() -> None:
    # sample_report: step time 230.10 -> 160.40 ms, its interval excludes 1 and less is better; of a share neither is
    told = re.findall(r"<td[^>]*>([^<]*)</td></tr>", explicit(page("met", "en")))
    assert {"improved", "decreased", "equal"} <= set(told)
    assert len(re.findall("improved", page("met", "en"))) == told.count("improved")


def test_sides_that_are_not_comparable_are_shown_without_a_change() -> None:
    parsed = Page(page("not_comparable", "en"))
    assert "−69.70" not in parsed.text
    assert "−30.3%" not in parsed.text
    assert "230.10" in parsed.text
    assert parsed.text.count("no verdict") >= 4
    assert not [attributes for tag, attributes in parsed.tags if tag == "figure"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_metric_folds_out_its_origin(language: str) -> None:
    report = sample_report("met")
    text = page("met", language)
    by_id = {row.id: row.origin for row in report.origins}
    for row in report.metrics:
        numbers = [side.value for side in (row.before, row.after)]
        for origin in (by_id[name] for number in numbers for name in getattr(number, "origins", ())):
            assert origin.digest in text
            # the list of files groups them by directory, without the side; a row folds out to the side and the name
            directory, _, name = origin.file.partition("/")[2].rpartition("/")
            assert directory in text
            assert name in text
    alone = [row for row in report.metrics if not own_section(row.metric, row.part)]  # others share a line
    assert text.count("<details>") >= sum(bool(getattr(row.after.value, "origins", ())) for row in alone)


def test_the_screen_holds_every_rank_and_the_paper_the_worst() -> None:
    screen = page("many_ranks", "en")
    paper = html.document(odd_reports.many_ranks(), language="en", digest=DIGEST, edition="paper")
    assert "rank\u00a03" in screen
    assert "rank\u00a07" in screen
    metrics = paper[paper.index("All metrics") : paper.index('id="s-', paper.index("All metrics"))]
    assert "rank\u00a03" not in metrics
    assert "<details>" not in paper
    assert "[M8]</a>" in paper


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_of_the_report_is_printed(language: str) -> None:
    report = sample_report("met")
    text = Page(page("met", language)).text
    assert report.contract is not None
    for row in (*report.comparability.rows, *report.comparability.equal, *report.comparability.identity):
        assert row.key in text or row.spelling in text or language == "zh"
    for operator in report.operators:
        assert operator.type in text
    for file in report.manifest:
        directory, _, name = file.path.rpartition("/")
        assert directory in text
        assert name in text
        assert file.digest in text
    for source in report.sources:
        assert source.document in text
    for words in (report.contract.customer, report.contract.reference, report.contract.declared[0].signer):
        assert words in text
    assert DIGEST in text


@pytest.mark.parametrize("edition", ["screen", "paper"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rank_and_its_number_stand_on_one_line(language: str, edition: Edition) -> None:
    page = Page(html.document(sample_report(), language=language, digest=DIGEST, edition=edition))
    ranks = re.findall(r"\brank(\s)\d", "|".join(page.texts))
    assert len(ranks) > 20
    assert set(ranks) == {"\u00a0"}


def test_missing_values_are_words() -> None:
    text = page("one_side", "zh")
    assert "无法读取" in text
    assert not re.search(r'<td class="r[^"]*"[^>]*>(?:nan|inf|None|Missing)', text)


def test_hostile_text_is_text() -> None:
    text = page("hostile", "zh")
    parsed = Page(text)
    for bad in odd_reports.HOSTILE:
        if not re.search(r"[\x00-\x1f\u200b-\u206f\ud800-\udfff]", bad):
            assert bad in parsed.text, bad
    assert "U+202E" in text
    assert not re.search(r"[\x00-\x08\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    text.encode()
    assert "{{ 7 * 7 }}" in text
    assert "%(name)s %s %" in parsed.text


def test_the_note_fetches_and_runs_nothing() -> None:
    parsed = Page(f"<div>{rendered(odd_reports.NOTE, below=3)}</div>")
    assert not parsed.faults
    assert {tag for tag, _ in parsed.tags} <= {"div", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "code"}
    assert not parsed.values("href")
    assert not parsed.values("src")
    assert "words (https://evil.example/track)" in parsed.text
    assert "a picture" in parsed.text
    assert parsed.text.count("http://evil.example/auto") == 1
    assert '<img src="http://evil.example/x"' in parsed.text


@pytest.mark.parametrize(
    ("note", "levels"),
    [
        ("# a", "3"),
        ("# a\n## b\n# c", "343"),
        ("### a\n###### b\n# c", "343"),  # levels that the note skips are closed up
        ("# a\n## b\n### c\n#### d\n##### e", "34566"),  # there is none below h6
    ],
)
def test_headings_of_the_note_stay_below_their_section_and_skip_no_level(note: str, levels: str) -> None:
    made = rendered(note, below=2)
    assert re.findall(r"<h(\d)>", made) == re.findall(r"</h(\d)>", made) == list(levels)


def test_the_note_is_marked_as_the_contractors_words() -> None:
    assert "Written by the contractor, printed as given, not verified by this tool." in page("met", "en")
    report = replace(sample_report("met"), note=" \n")
    text = html.render(report, language="en", digest=DIGEST)
    assert 's-note"' not in text


def test_dark_and_print_sheets_are_inside() -> None:
    text = page("met", "en")
    assert '<style media="screen">' in text
    assert '<style media="print">' in text
    assert "prefers-color-scheme:dark" in text
    assert "font-face" not in text


def test_a_table_that_is_cut_says_so_on_paper() -> None:
    report = sample_report("met")
    rows = tuple(replace(row, spelling=f"{row.spelling}_{n}") for n in range(9) for row in report.comparability.equal)
    files = tuple(replace(row, path=f"{n}/{row.path}") for n in range(40) for row in report.manifest)
    kinds = tuple(replace(row, id=f"{row.id}-{n}") for n in range(9) for row in report.operators)
    comparability = replace(report.comparability, equal=rows)
    long = replace(report, comparability=comparability, manifest=files, operators=kinds)
    paper = html.document(long, language="en", digest=DIGEST, edition="paper")
    screen = html.render(long, language="en", digest=DIGEST)
    assert len(files) > 40
    read = (
        rf"{len(files)} files were read, each with its size and SHA-256: listed here are the (\d+) that numbers of this"
    )
    listed = re.findall(r'<tr id="(f\d+)"', paper)
    assert re.findall(read, paper) == [str(len(listed))]
    assert 0 < len(listed) < 40
    assert set(re.findall(r'href="#(f\d+)"', paper)) == set(listed)  # every file that an origin names has its line
    assert f"{len(files)} files were read; each is listed" in screen
    for shown, total, table in ((30, len(rows), "settings"), (25, len(kinds) // 2, "operators")):
        assert f"{shown} shown; the other {total - shown} are in tables/{table}.csv." in paper
    assert "shown; the other" not in screen


def test_facts_that_share_a_line_are_counted_one_by_one() -> None:
    """40 keys, the first of them alike in three files: 42 facts, of which 30 lines hold 32."""
    report = sample_report("met")
    one = report.comparability.equal[0]
    rows = [replace(one, spelling="k0", place=place) for place in "abc"]
    rows += [replace(one, spelling=f"k{n}", place="a") for n in range(1, 40)]
    long = replace(report, comparability=replace(report.comparability, equal=tuple(rows)))
    paper = html.document(long, language="en", digest=DIGEST, edition="paper")
    assert "32 shown; the other 10 are in tables/settings.csv." in paper


def test_the_raw_data_list_of_the_formal_form_names_every_file() -> None:
    report = sample_report("met")
    files = tuple(replace(row, path=f"{n}/{row.path}") for n in range(3) for row in report.manifest)
    assert len(files) > 40
    whole = replace(report, manifest=files)
    paper = html.document(whole, language="en", digest=DIGEST, edition="paper", form="formal")
    assert [int(number) for number in re.findall(r'<tr id="f(\d+)"', paper)] == list(range(1, len(files) + 1))


def test_an_allowed_difference_stands_in_a_frame() -> None:
    report = sample_report("met")
    first = report.comparability.rows[0]
    allowed = replace(
        first, reason=replace(first.reason, code="allowed_by_option", args=(("key", "x"), ("why", "same")))
    )
    rows = (allowed, *report.comparability.rows[1:])
    text = html.render(
        replace(report, comparability=replace(report.comparability, rows=rows)), language="en", digest=DIGEST
    )
    assert '<p class="banner">x was allowed on the command line: same.</p>' in text


def test_every_text_of_pages_and_charts_is_translated() -> None:
    rooms = ("canvas", "charts", "figures", "html", "page_one", "tables", "view", *SECTIONS)
    sources = [("python", REPORT / f"{room}.py") for room in rooms]
    sources += [("jinja2.ext:babel_extract", path) for path in sorted(templates_dir().glob("*.j2"))]
    keywords = {"_": None, "mark": None, "text": None, "gettext": None, "ngettext": (1, 2)}
    with (templates_dir() / "locale" / "zh.po").open("rb") as file:
        known = {message.id if isinstance(message.id, str) else message.id[0] for message in read_po(file, locale="zh")}
    found = [
        message if isinstance(message, str) else message[0]
        for method, path in sources
        for _, message, _, _ in extract_from_file(method, path, keywords=keywords, options={"silent": "false"})
    ]
    assert len(found) > 200
    assert not set(found) - known


def test_embedded_fonts_draw_every_character_and_load_nothing() -> None:
    report = sample_report()
    page = html.render(report, language="zh", digest=DIGEST, embed_fonts=True)
    assert page.count("@font-face") == 2
    assert "font-src data:" in page
    assert "url(data:font/woff2;base64," in page
    assert "https://" not in page
    assert page == html.render(report, language="zh", digest=DIGEST, embed_fonts=True)
    assert "@font-face" not in html.render(report, language="zh", digest=DIGEST)


# ------------------------------------------------------------------------------------------------ every number opens
MEASURED = ("page one", "target", "measurements", "breakdown", "operators", "units", "collectives", "memory", "clock",
            "host", "thresholds")  # fmt: skip
"""Sections of numbers that were measured or agreed."""


class Rows(HTMLParser):
    """Rows of tables: section, digits in cells of figures (class r), links, and whether something folds out."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.section = "page one"
        self.rows: list[tuple[str, str, list[str], bool]] = []
        self.ids: dict[str, int] = {}
        self.row: list[str] | None = None
        self.links: list[str] = []
        self.folds = self.counts = self.figures = False
        self.feed(explicit(text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        identity = found.get("id", "")
        if tag == "h2" and identity.startswith("s-"):
            self.section = identity.removeprefix("s-")
        if tag == "tr":
            self.row, self.links, self.folds, self.figures = [], [], False, False
        if identity:
            self.ids[identity] = len(self.rows)  # the number that its row gets
        if tag == "td":
            self.counts = "r" in found.get("class", "").split()
        if tag == "a" and self.row is not None:
            self.links.append(found.get("href", "")[1:])
        self.folds |= tag == "details"

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self.counts = False
        if tag == "tr" and self.row is not None:
            shown = "".join(self.row) if self.figures else ""
            self.rows.append((self.section, shown, self.links, self.folds))
            self.row = None

    def handle_data(self, data: str) -> None:
        if self.row is not None:
            self.row.append(data)
            self.figures |= self.counts and any(character.isdigit() for character in data)

    def opens(self, index: int, seen: frozenset[int] = frozenset()) -> bool:
        """Whether a row folds out, stands in the table of files, or links to a row that does."""
        section, _shown, links, folds = self.rows[index]
        if folds or section == "manifest":
            return True
        ends = {self.ids[link] for link in links if link in self.ids} - seen - {index}
        return any(self.opens(end, seen | {index}) for end in ends)


@pytest.mark.parametrize(
    ("name", "language"), [("met", "en"), ("met", "zh"), ("no_target", "en"), ("many_ranks", "en")]
)
def test_every_number_of_a_table_opens_to_its_origin(name: str, language: str) -> None:
    found = Rows(page(name, language))
    numbers = [index for index, row in enumerate(found.rows) if row[0] in MEASURED and row[1]]
    assert len(numbers) > 50
    assert [found.rows[index][:2] for index in numbers if not found.opens(index)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_operator_types_are_anchors_and_their_table_folds_out_one_origin(language: str) -> None:
    report, found = sample_report("met"), Rows(page("met", language))
    opened = set()
    for operator in report.operators:
        section, _shown, links, _folds = found.rows[found.ids[operator.id]]
        assert (section, len(links)) == ("operators", 1)
        assert found.rows[found.ids[links[0]]][3]  # the line above the types of its rank, which folds out
        opened.add(links[0])
    assert len(opened) == len({operator.rank for operator in report.operators})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_origins_and_its_references_are_on_paper_alone(language: str) -> None:
    paper = html.document(sample_report("met"), language=language, digest=DIGEST, edition="paper")
    assert 'class="origins"' in paper
    assert 'href="#o-' in paper
    assert 'class="origins"' not in page("met", language)
    assert "#o-" not in page("met", language)


def test_nothing_is_made_of_two_sides_that_are_not_comparable() -> None:
    report = sample_report("not_comparable")
    goal = next(goal for goal in report.goals if goal.metric == "step_time")
    ratio = Quantity(value=Fraction(978, 1000), unit="1")
    assert isinstance(goal.before, Number)
    on_ratio = replace(goal, subject="ratio", value=Number(quantity=ratio, origins=goal.before.origins))
    assert report.conformity is not None
    report = replace(report, goals=(on_ratio,), conformity=replace(report.conformity, goals=(on_ratio.id,), ratios=()))
    for edition in ("screen", "paper"):
        text = html.document(report, language="en", digest=DIGEST, edition=edition)  # type: ignore[arg-type]
        shown = text[text.index("Goals judged") : text.index("All metrics")]
        # the values of the sample's step times on rank 0, each alone
        assert "BEFORE\u00a0230.1\u00a0ms<br>AFTER\u00a0160.4\u00a0ms<br>not judged" in shown
        assert "97.8" not in shown
        assert "0.978" not in shown
