"""The formal form: what stands around the pages, in which order, and what is left blank."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest
import whole_report

from reportgen.report import formal, html, pdf
from reportgen.report.document import DeviationRow, FormBlock, Report, RevisionRow
from tests.report import odd_reports
from tests.report.explicit import explicit
from tests.report.sample_report import VARIANTS, sample_report

DIGEST = "c878a2969fdcffda97e2e11438893020547bb7ed42257f714ed0d5e71ed6f782"
LANGUAGES = ("zh", "en")
STATEMENTS = {
    "zh": (
        "本报告仅对所列测试对象、版本、环境和负载负责",
        "判定仅针对约定指标，不构成项目验收结论",
        "本报告非 CNAS/CMA 资质检测报告",
        "未经书面同意不得部分复制",
    ),
    "en": (
        "answers only for the test objects, versions, environment and load",
        "no conclusion on the acceptance of the project",
        "not a test report under a CNAS or CMA accreditation",
        "No partial reproduction without written consent",
    ),
}
"""Fixed wording of acceptance files; the comma and the stop are full-width in print."""
GIVEN = FormBlock(
    version="V1.2",
    replaces="PT-2026-000 V1.1",
    confidentiality="内部",
    phase="retest",
    client="委托公司甲",
    test_unit="测试中心乙",
    place="三号机房",
    started="2026-11-01",
    ended="2026-11-03",
    testers=("王一", "李二"),
    witnessed=("赵三",),
    prepared="王一",
    reviewed="李二",
    approved="钱四",
    purpose="核实单步耗时",
    scope="仅训练",
    basis=("测试大纲 V3",),
    topology="单机 8 卡",
    data_set="wiki-2026 v2",
    revisions=(RevisionRow(version="V1.1", date="2026-10-30", what="补充显存", by="李二"),),
    deviations=(DeviationRow(no="D-1", what="少采一次", effect="区间较宽", remedy="补采", retest="2026-11-20"),),
)


def texts(form: FormBlock) -> list[str]:
    """Every text that a form gives, but the phase, which is a word of ours."""
    found = [form.version, form.replaces, form.confidentiality, form.client, form.test_unit, form.place]
    found += [*form.testers, *form.witnessed, form.prepared, form.reviewed, form.approved]
    found += [form.purpose, form.scope, *form.basis, form.topology, form.data_set]
    found += [text for row in form.revisions for text in (row.version, row.date, row.what, row.by)]
    return found + [text for row in form.deviations for text in (row.no, row.what, row.effect, row.remedy, row.retest)]


class Text(HTMLParser):
    """The text that a page shows, and its ids in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.skip = 0
        self.feed(explicit(page))

    @property
    def text(self) -> str:
        return "".join(self.parts).replace("\u00a0", " ")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.skip += tag in ("style", "title")
        known = dict(attrs)
        if known.get("id"):
            self.ids.append(str(known["id"]))
        if str(known.get("href", "")).startswith("#"):
            self.links.append(str(known["href"])[1:])
        if tag not in ("meta", "br", "img", "link", "input", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.skip -= tag in ("style", "title")
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_data(self, data: str) -> None:
        if not self.skip:
            self.parts.append(data)


def report_of(name: str) -> Report:
    return sample_report(name) if name in VARIANTS else getattr(odd_reports, name)()  # type: ignore[arg-type]


@cache
def page(name: str, language: str, edition: str = "screen", given: bool = False) -> str:
    report = report_of(name)
    if given:
        report = replace(report, form=GIVEN)
    return html.document(
        report, language=language, digest=DIGEST, edition=edition, form="formal", commands=("reportgen report a b",)  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "language"),
    [("met", "zh"), ("met", "en"), ("not_comparable", "en"), ("many_ranks", "zh"), ("hostile", "zh")],
)
def test_sections_are_numbered_in_the_order_of_an_acceptance_file_and_nothing_is_lost(name: str, language: str) -> None:
    shown = Text(page(name, language))
    assert shown.open == []
    headings = re.findall(r'<h2 id="s-(\w+)"><span class="no">(\d+)</span>', page(name, language))
    assert [int(number) for _, number in headings] == list(range(1, len(headings) + 1))
    order = [identity for identity, _ in headings]
    ranked = [formal.ORDER.index(identity) for identity in order if identity in formal.ORDER]
    assert ranked == sorted(ranked)
    assert order[:4] == ["overview", "target", "environment", "plan"]
    brief = html.document(report_of(name), language=language, digest=DIGEST, edition="screen")
    sections = set(re.findall(r'<h2 id="s-(\w+)">', brief))
    assert sections - {"signoff"} <= set(order)
    assert set(formal.OWN) <= set(order)
    assert len(shown.ids) == len(set(shown.ids))
    assert set(shown.links) <= set(shown.ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_references_between_sections_name_the_numbers_of_this_form(language: str) -> None:
    numbers = dict(re.findall(r'<h2 id="s-(\w+)"><span class="no">(\d+)</span>', page("met", language)))
    shown = Text(page("met", language)).text
    manifest = {"zh": f"清单见第 {numbers['manifest']} 节", "en": f"the list is in section {numbers['manifest']}"}
    assert manifest[language] in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["met", "not_comparable"])
def test_the_fixed_statements_stand_in_it_and_nobody_is_told_that_the_work_is_taken_over(
    name: str, language: str
) -> None:
    shown = Text(page(name, language)).text
    for statement in STATEMENTS[language]:
        assert statement in shown
    if language == "zh":
        boxes = ("□ 通过", "□ 有条件通过", "□ 不通过")
        assert shown.count("通过") == 3
        assert "合格" not in shown
        assert re.sub(r"\s", "", shown).endswith(f"以下空白report.jsonSHA-256{DIGEST}")
    else:
        boxes = ("□ passed", "□ passed on conditions", "□ not passed")
        assert "accepted" not in shown.lower()
        assert "End of report; blank below" in shown
    for box in boxes:
        assert box in shown
    assert not re.search("[☑☒■✔]", shown)


def test_what_the_target_gives_is_printed_as_given() -> None:
    shown = Text(page("met", "zh", given=True)).text
    for text in texts(GIVEN):
        assert text in shown, text
    assert "复测" in shown
    assert "2026-11-01–2026-11-03" in shown
    assert "本报告替代：PT-2026-000 V1.1" in shown
    assert "reportgen report a b" in shown


@pytest.mark.parametrize(("language", "word"), [("zh", "未提供"), ("en", "not given")])
def test_what_the_target_does_not_give_is_a_labelled_blank(language: str, word: str) -> None:
    # cover: confidentiality, phase, version; signatures: three names and the witness; overview: purpose and
    # scope; environment: network; method: phase, days, place, people, witnesses, data set
    blanks = re.findall(r'<span class="blank">([^<]*)</span>', page("met", language))
    assert blanks == [word] * 16
    given = re.findall(r'<span class="blank">([^<]*)</span>', page("met", language, given=True))
    assert given == [word]  # the sample names no witness


@pytest.mark.parametrize(("name", "open_goals"), [("met", 0), ("not_met", 1), ("not_comparable", 3)])
def test_goals_without_a_good_outcome_are_open_issues(name: str, open_goals: int) -> None:
    part = formal.pieces(page(name, "zh"))["deviations"]
    assert part.count('href="#goal:') == open_goals
    assert part.count("待填") == 2 * open_goals


def test_the_brief_form_prints_none_of_it() -> None:
    brief = html.document(
        replace(sample_report("met"), form=GIVEN), language="zh", digest=DIGEST, edition="screen", commands=("a b",)
    )
    assert brief == html.document(sample_report("met"), language="zh", digest=DIGEST, edition="screen")


def test_without_a_target_there_is_no_formal_form() -> None:
    report = sample_report("no_target")
    asked = html.document(report, language="zh", digest=DIGEST, edition="screen", form="formal")
    assert asked == html.document(report, language="zh", digest=DIGEST, edition="screen")


def test_a_command_with_tags_is_escaped() -> None:
    shown = html.document(sample_report("met"), language="en", digest=DIGEST, edition="screen", form="formal",
                          commands=("reportgen '<script>1</script>' '<h2 id=\"s-note\">'",))  # fmt: skip
    assert "<script>" not in shown
    assert shown.count('<h2 id="s-note">') == 1


def test_sections_of_others_stand_with_the_results() -> None:
    order = formal.ordered(("verdict", "target", "captures", "measurements", "later", "gaps", "signoff"))
    assert order == (
        "overview", "target", "environment", "plan", "measurements", "later", "captures", "deviations", "gaps",
        "conclusion", "commands",
    )  # fmt: skip


def test_the_sheets_of_the_pdf_are_those_of_an_acceptance_file() -> None:
    weasyprint = pytest.importorskip("weasyprint", exc_type=OSError)
    source = weasyprint.HTML(
        string=page("met", "zh", "paper"), url_fetcher=pdf._fetcher(weasyprint), media_type="print"
    )
    with pdf._complaints() as complaints:
        pages = source.render().pages
    assert not complaints
    numbered = [(anchor, number) for number, sheet in enumerate(pages, 1) for anchor in sheet.anchors]
    sheets = dict(reversed(numbered))  # an anchor of a block over several sheets: the first of them
    assert (sheets["f-statements"], sheets["f-signatures"], sheets["contents"]) == (2, 3, 4)
    assert (sheets["one"], sheets["after-one"], sheets["s-overview"]) == (5, 6, 6)
    for number, sheet in enumerate(pages, 1):
        edge = sheet._page_box.content_box_x() + sheet._page_box.width + 0.5
        boxes = [sheet._page_box]
        while boxes:
            box = boxes.pop()
            boxes += [child for child in getattr(box, "children", []) if type(child).__name__ != "MarginBox"]
            assert not (hasattr(box, "text") and box.position_x + box.width > edge), (number, box.text)


def test_the_method_counts_the_runs_of_each_case_and_no_servers_log() -> None:
    """The whole report has a result a side of two cases; of the second one a server's log a side too."""
    shown = Text(whole_report.page("en", "formal")).text
    assert "runs outside the profile, on each sidetraining: BEFORE 1, AFTER 1; service: BEFORE 1, AFTER 1" in shown
    assert "runs outside the profile" not in Text(page("met", "en")).text
