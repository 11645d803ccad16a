"""The section "Main bottleneck" of the example figures, in both languages; the kinds follow from its parts by hand.

BEFORE: free 30.4 of 230.1 ms is 13.2 %, at least 3 %: host dispatch. AFTER: free 3.9 of 160.4 ms is 2.4 %, and
communication not overlapped 19.4 of 160.4 ms is 12.1 %, on which the guide says nothing: computing by order.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from reportgen import resources
from reportgen.bottleneck import CITED, find_bottlenecks, limit_without_bound
from reportgen.catalogue import read_catalogue
from reportgen.model import Applicability, Diagnosis, Quantity, Reason, Side, Verdict
from reportgen.remedies import read_remedies
from reportgen.report import html, section_bottleneck
from reportgen.report.build import build
from reportgen.report.document import Report
from reportgen.report.read_back import decode
from reportgen.report.section_bottleneck import BottleneckSection
from reportgen.report.serialize import to_json
from reportgen.report.text import report_text
from tests.report.sample_report import Variant, origin, sample_evaluation
from tests.report.test_html import DIGEST
from tests.report.test_sections import context, plain
from tests.report.walk import every_number_reaches_an_origin

NHWC = Diagnosis(
    sign="format_nhwc",
    side=Side.AFTER,
    case="case-topic-0000001539375010",
    reason=Reason.of("sign_format_nhwc", types="Conv2D"),
    count=Quantity(value=1200, unit="1"),
    share=Quantity(value=Fraction(1, 8), unit="1"),
    rank=1,
    origins=(origin(Side.AFTER, 1, "kernel_details.csv", "columns input formats, duration", "sum"),),
)
STACK = tuple(
    Diagnosis(
        sign="inflating_switch",
        side=side,
        case="profiling-inflation-definition",
        reason=Reason.of("sign_inflating_switch", names="with_stack"),
        origins=(origin(side, 0, "profiler_info_0.json", "with_stack", "as written"),),
    )
    for side in Side
)


@cache
def report(variant: Variant = "met", *, phase: str = "training", outside: bool = False) -> Report:
    """The example with its bottlenecks; ``outside``: the rules of the guide do not apply."""
    evaluation, whole, guide = sample_evaluation(variant), read_catalogue(resources.evidence_dir()), read_remedies()
    verdict: Verdict | None = evaluation.verdict
    thresholds = verdict.thresholds if verdict is not None else ()
    if outside:
        thresholds = tuple(replace(rule, applicability=Applicability.DOES_NOT_APPLY) for rule in thresholds)
    found = find_bottlenecks(
        phase=phase,
        thresholds=thresholds,
        comparisons=evaluation.comparisons,
        facts=(evaluation.before[0], evaluation.after[0]),
        comparability=evaluation.comparability,
        limit=limit_without_bound(whole),
    )
    cited = tuple(rule for rule in whole.rules if rule.id in {*CITED, *guide.cited()})
    evaluation = replace(evaluation, bottlenecks=found, remedies=guide.remedies, diagnoses=(*STACK, NHWC), cited=cited)
    return build(evaluation, tool_version="0.0.0")


def section(language: str, **more: Any) -> BottleneckSection:
    found = section_bottleneck.bottleneck(context(report(**more), language=language))
    assert found is not None
    return found


def table(found: BottleneckSection) -> dict[str, tuple[str, str]]:
    return {plain(fact.name): (plain(fact.before), plain(fact.after)) for fact in found.facts}


def test_both_sides_in_english() -> None:
    facts = table(section("en"))
    assert facts["main bottleneck"] == ("host dispatch (free)", "computing")
    assert facts["decided by"] == ("first rule exceeded", "no limit exceeded")
    assert facts["free share"] == ("13.2% (needs attention)", "2.4% (within reference)")
    assert facts["share of communication not overlapped"] == (
        "26.6% (needs attention)",
        "12.1% (no official statement)",
    )
    assert facts["inside computing: cube"][0] == "–"


def test_both_sides_in_chinese() -> None:
    facts = table(section("zh"))
    assert facts["主要瓶颈"] == ("Host 下发（空闲）", "计算")
    assert facts["判断依据"] == ("首个超限项", "均未超限")
    assert facts["未掩盖通信占比"] == ("26.6%（需要关注）", "12.1%（官方无表述）")
    said = "".join(section("zh").said)
    assert "主要瓶颈发生了转移。" in said
    assert "来源对计算未给数值" in said


def test_what_the_guide_tries_first_for_what_remains() -> None:
    found = section("en")
    assert found.tried == ("fusions made for the model → Flash Attention → fused RMSNorm and RoPE → MoE GroupedMatMul")
    assert found.not_first == "more partitioning or offloading before the hot operators are known"
    assert "context, no promise" in found.context
    assert "only the order may be borrowed" not in found.context
    assert "need the model's code adapted first" in found.context
    assert section("zh").tried == "模型专用融合 → Flash Attention → Fused RMSNorm/RoPE → MoE GroupedMatMul"


def test_outside_the_scope_only_the_order_is_borrowed() -> None:
    found = section("en", outside=True)
    assert table(found)["decided by"] == ("largest share, no official limit",) * 2
    assert "only the order may be borrowed, not the features" in found.context
    assert "只借顺序，不照搬特性" in section("zh", outside=True).context


@pytest.mark.parametrize(("language", "words"), [("en", "describe the load"), ("zh", "服务化")])
def test_of_a_service_nothing_is_named(language: str, words: str) -> None:
    found = section(language, phase="serving")
    assert words in "".join(found.said)
    assert (found.tried, found.not_first, found.context) == ("", "", "")


def test_a_pair_that_is_not_comparable_leaves_the_move_open() -> None:
    assert section("en", variant="not_comparable").said[0].startswith("Whether it moved cannot be known: ")
    assert section("zh", variant="not_comparable").said[0].startswith("是否转移无法得知：")


def test_signs_name_the_case_and_no_cause() -> None:
    stack, nhwc = section("en").signs
    assert (stack.sides, stack.case) == ("BEFORE and AFTER", "profilingcase_007")
    assert stack.where == ()
    assert stack.places == "profiler_info_0.json"
    assert nhwc.case == "topic_0000001539375010"
    assert nhwc.address == "https://www.hiascend.com/document/caselibrary/detail/topic_0000001539375010"
    assert plain(nhwc.seen) == (
        "Operators with NHWC tensors (Conv2D). 1,200 kernels, 12.5% of the kernel time (rank 1)."
    )
    assert [one.file for one in nhwc.where] != []
    page = html.render(report(), language="en", digest=DIGEST)
    assert f'<a href="{nhwc.address}">{nhwc.case}</a>' in page
    assert "A sign is no cause." in page


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("edition", ["screen", "paper"])
def test_every_number_of_the_section_leads_on(language: str, edition: str) -> None:
    assert every_number_reaches_an_origin(report()) > 500
    page = html.document(report(), language=language, digest=DIGEST, edition=edition)  # type: ignore[arg-type]
    found = section_bottleneck.bottleneck(context(report(), edition, language))
    for identity in section_bottleneck.named(found):
        assert f'id="{identity}"' in page or f'id="o-{identity}"' in page


def test_page_one_says_it_in_one_line_where_there_is_room() -> None:
    from reportgen.report import page_one, wording

    line = wording.bottleneck_line(report(), "en")
    assert line == "Main bottleneck: host dispatch (free) in BEFORE, computing in AFTER."
    assert wording.bottleneck_line(report(phase="serving"), "en") == ""
    sections = {name: number for number, name in enumerate(html.TITLES, 1)}
    one, _ = page_one.page_one(replace(context(report()), sections=sections))
    assert one.bottleneck in ("", line)
    assert page_one.page_one(replace(context(report()), sections=sections), tight=9)[0].bottleneck == ""


def test_the_terminal_says_it_too() -> None:
    said = report_text(report(), "en")
    assert "BEFORE  host dispatch (free) (first rule exceeded)" in said
    assert "fusions made for the model -> Flash Attention" in said
    assert "profilingcase_007" in said
    assert "主要瓶颈" in report_text(report(), "zh")


def test_a_report_without_it_has_no_such_section() -> None:
    bare = build(sample_evaluation("met"), tool_version="0.0.0")
    assert bare.bottleneck is None
    assert 'id="s-bottleneck"' not in html.render(bare, language="en", digest=DIGEST)


def test_it_is_read_back_as_it_was_written() -> None:
    assert decode(json.loads(to_json(report())), "report.json") == report()
