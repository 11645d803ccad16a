"""``explain``: from an id of report.json or report.html to the rows, the arithmetic, the rule and the document."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from command import reportgen
from hypothesis import given
from hypothesis import strategies as st
from report import odd_reports
from report.page import Page
from report.sample_report import sample_report
from whole_report import page, whole

from reportgen import units
from reportgen.errors import ReportgenError
from reportgen.model import Quantity
from reportgen.report import wording
from reportgen.report.document import GoalRow, Number, Report
from reportgen.report.explained import explanation
from reportgen.report.lookup import entries, look_up
from reportgen.report.serialize import to_json


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("out")
    (directory / "report.json").write_text(to_json(sample_report()), "utf-8")
    return directory


def explained(out: Path, identity: str, language: str = "en") -> str:
    result = reportgen("explain", out, identity, "--language", language)
    assert (result.code, result.err) == (0, "")
    return result.out


def has(text: str, *lines: str) -> None:
    """Each line stands in the text, spaces apart."""
    flat = {" ".join(line.split()) for line in text.splitlines()}
    for line in lines:
        assert any(line in shown for shown in flat), line


# ------------------------------------------------------------------------------------------------ what is printed
def test_a_metric_is_traced_to_its_rows_arithmetic_and_rule(out: Path) -> None:
    text = explained(out, "step_time@rank0")
    assert text.startswith("step time, rank 0  [M1 = step_time@rank0]\n")
    has(
        text,
        "value 160.40 ms (exactly 160400000 ns)",  # decimals of the interval, as on page one
        "how median, start to start of steps, measured from csv tables",
        "place Step Id, Start Time(us), Duration(us); rows 2-39561",  # 3956 kernels x 10 steps, and the header
        "formula start(k+1) - start(k); median of 9 steps",
        "interval [159.87 ms, 160.92 ms], level 95%,",
        "cross-check number of kernels in op_statistic: 39,560 found, 39,560 expected: agrees",
        "AFTER - BEFORE -69.70 ms",
        "difference difference demonstrated",
        "Goals judged on it [goal:G1]",
        "limit ≤ 170 ms (exactly 170000000 ns)",
        "place cases[0].goals[0].limit",
        "outcome met",
    )


def test_both_sides_and_their_difference_share_unit_and_decimals() -> None:
    """The rule of every row of the report: value and difference have the decimals of one row."""
    report = sample_report()
    figure = re.compile(r"^  (?:value|AFTER - BEFORE) +[-+]?[\d,]+(\.\d+)? ?(\S*)  \(exactly", re.MULTILINE)
    seen = 0
    for row in report.metrics:
        said = explanation(report, look_up(report, row.id), "en").replace("\u2212", "-").replace("\u00a0", " ")
        said = re.split(r"\nGoals judged|\nOfficial rule", said)[0]
        found = [(len(decimals), unit.replace("pp", "%")) for decimals, unit in figure.findall(said)]
        assert len(set(found)) < 2, (row.name, said)
        seen += len(found) == 3
    assert seen


@pytest.mark.parametrize("identity", ["M1", "step_time@rank0"])
def test_short_and_long_id_name_the_same(out: Path, identity: str) -> None:
    assert explained(out, identity) == explained(out, "M1")


def test_one_side_alone(out: Path) -> None:
    text = explained(out, "aic_mte2_ratio@rank0:before")
    has(text, "value 0.660", "made of 63.34 s (exactly 63341000000 ns) / 96.00 s (exactly 96000000000 ns)")
    assert "\nAFTER\n" not in text
    assert "after/rank0" not in text


def test_a_missing_value_says_why_and_what_would_supply_it(out: Path) -> None:
    text = explained(out, "module_peak_reserved@rank0:after")
    has(text, "no value not collected: npu_module_mem is not there.",
        "how to supply it Capture again with msprof --sys-hardware-mem=on.")  # fmt: skip


def test_the_instant_of_a_peak(out: Path) -> None:
    has(explained(out, "peak_reserved/APP@rank0"), "reached at 2026-10-20T10:00:01.000000250Z")


@pytest.mark.parametrize("identity", ["goal:G1", "G1"])
def test_a_goal_shows_rule_clause_and_the_value_it_was_judged_on(out: Path, identity: str) -> None:
    text = explained(out, identity)
    has(
        text,
        "agreed step time at most 170 ms",
        "document HT-2026-0931 附件 2, 3.2",
        "decision rule guarded, the whole 95% interval has to be within the limit.",
        "judged on M1",
        "margin +9.08 ms (estimate 9075",  # decimals of its row; from the end of an interval, which is an estimate
        "Measured value, AFTER [M1 = step_time@rank0]",
        "target.toml",
    )


def test_a_goal_on_after_alone_names_before_as_beside_it() -> None:
    report = sample_report()
    assert {goal.subject for goal in report.goals if goal.id == "G1"} == {"after"}
    found = look_up(report, "G1")
    files = [{row.origin.file.partition("/")[0] for row in rows} for rows in (found.origins, found.beside)]
    assert "before" not in files[0]
    assert "after" in files[0]
    assert "before" in files[1]
    judged = found.judged
    assert judged is not None
    for value, rows in ((judged.before.value, found.beside), (judged.after.value, found.origins)):
        assert isinstance(value, Number)
        assert set(value.origins) <= {row.id for row in rows}
    text = explanation(report, found, "en")
    rests, beside = text.split("\nShown beside it: BEFORE and the change, which decide nothing here\n")
    assert "before/" not in rests
    assert "before/rank0" in beside
    # and so where BEFORE has several captures
    (goal,) = [goal for goal in report.goals if goal.id == "G1"]
    assert isinstance(goal.before, Number)
    repeats = replace(goal, each_before=(goal.before, goal.before))
    several = replace(report, goals=tuple(repeats if one is goal else one for one in report.goals))
    assert {row.id for row in look_up(several, "G1").beside} == {row.id for row in found.beside}
    # a goal on the ratio of both rests on both
    ratio = replace(report, goals=tuple(replace(goal, subject="ratio") for goal in report.goals))
    both = look_up(ratio, "G1")
    assert (both.beside, len(both.origins)) == ((), len(found.origins) + len(found.beside))


def test_an_estimate_is_called_one_and_shows_what_the_printed_values_give() -> None:
    report = sample_report()
    row = next(row for row in report.metrics if row.name == "step_time@rank0")
    goal = next(goal for goal in report.goals if goal.metric_row == row.id)
    assert row.estimate is not None
    # the binary fraction of 0.7982873895844311, which has 51 decimals and more when written out
    estimate = replace(row.estimate, quantity=Quantity(value=Fraction(0.7982873895844311), unit="1"))
    changed = replace(goal, subject="ratio", value=estimate, interval=row.interval)
    text = explanation(replace(report, goals=(changed,)), look_up(replace(report, goals=(changed,)), goal.id), "en")
    has(
        text,
        # a ratio shows 0.001, as the page does; ten digits: a double has no more that mean something
        "value 0.798 (estimate 0.7982873896)",
        "judged estimate Hodges-Lehmann estimate",
        "its ends estimate 0.",
        "arithmetic 160.4 ms / 230.1 ms = 0.697",  # 1604 / 2301 = 0.69709
    )
    assert "exactly 0.798" not in text


@cache
def on_step_time() -> GoalRow:
    """The goal on the step time of the sample."""
    return next(goal for goal in sample_report().goals if goal.metric == "step_time")


NUMBER = re.compile(r"[-+]?[\d,]+(?:\.\d+)?")


@pytest.mark.parametrize("written", ["95%", "0.95"])
@pytest.mark.parametrize("subject", ["ratio", "delta"])
@given(before=st.integers(10**5, 10**10), after=st.integers(10**5, 10**10), half=st.integers(1, 10**8))
def test_the_arithmetic_is_true_as_it_is_printed(
    written: str, subject: Literal["ratio", "delta"], before: int, after: int, half: int
) -> None:
    # What is printed is worked out again from what is printed, and rounded to the digits of the result gives it.
    goal = on_step_time()
    ratio = subject == "ratio"
    value = Fraction(after, before) if ratio else Fraction(after - before)
    wide = Fraction(half, 10**9) * value if ratio else Fraction(half)
    unit = "1" if ratio else "ns"

    def number(exact: Fraction | int, unit: str, text: str = "") -> Number:
        return replace(goal.limit, quantity=Quantity(value=units.exact(Fraction(exact)), unit=unit, written=text))

    assert goal.interval is not None
    ends = {"low": number(value - abs(wide), unit), "high": number(value + abs(wide), unit)}
    limit = number(Fraction(written.rstrip("%")) / (100 if "%" in written else 1), "1", written)
    asked = replace(
        goal, subject=subject, value=number(value, unit), before=number(before, "ns"), after=number(after, "ns"),
        interval=replace(goal.interval, method="fieller", **ends), limit=limit if ratio else number(-1, "ns", "-1 ns"),
    )  # fmt: skip
    said = wording.arithmetic_text(asked, "en").replace("\u2212", "-")
    left, result = said.split(" = ")
    assert ("/" in result) is False
    sides = left.split(" / " if ratio else " - ")
    a, b, found = (Fraction(NUMBER.search(one)[0].replace(",", "")) for one in (*sides, result))  # type: ignore[index]
    digits = len(result.partition(".")[2].rstrip("%nsµm \u00a0"))
    made = a / b * (100 if "%" in result else 1) if ratio else a - b
    assert round(made, digits) == found, said


def test_a_goal_on_a_delta_of_several_captures_names_each_and_the_arithmetic() -> None:
    # 1258365, 1265425, 1271846 ns: mean 1265212; 1100742, 1105642, 1111022: 1105802; their difference -159410 ns.
    report = sample_report()
    goal = next(goal for goal in report.goals if goal.metric == "step_time")
    assert isinstance(goal.before, Number)
    assert isinstance(goal.after, Number)

    def of(side: Number, *values: int) -> tuple[Number, ...]:
        return tuple(replace(side, quantity=Quantity(value=value, unit="ns")) for value in values)

    (before, after, value) = of(goal.before, 1265212, 1105802, -159410)
    asked = replace(
        goal, subject="delta", before=before, after=replace(after, origins=goal.after.origins), delta=value,
        value=value, interval=None, limit=replace(goal.limit, quantity=Quantity(value=0, unit="ns", written="0 ns")),
        each_before=of(goal.before, 1258365, 1265425, 1271846), each_after=of(goal.after, 1100742, 1105642, 1111022),
        margin=None,
    )  # fmt: skip
    changed = replace(report, goals=(asked,))
    text = explanation(changed, look_up(changed, asked.id), "en")
    has(
        text,
        "BEFORE 1.265 ms (exactly 1265212 ns), median",
        "BEFORE 1.258 ms (exactly 1258365 ns), before/",
        "AFTER 1.111 ms (exactly 1111022 ns), after/",
        "joined the mean of these values stands for the side",
        "arithmetic 1.106 ms - 1.265 ms = -0.159 ms",
    )


@pytest.mark.parametrize(
    ("subject", "text"),
    [("delta", "1517900000/3 ns \u2212 1518700000/3 ns = -800000/3 ns"), ("ratio", "505.97 ms / 506.23 ms = 99.9%")],
)
def test_arithmetic_that_no_decimals_make_true_stands_exactly(subject: Literal["ratio", "delta"], text: str) -> None:
    # 505.9666... - 506.2333... = -0.2666...: 506.0 - 506.2 is not -0.3, and so on at every decimal. Their quotient is
    # 0.99947: 506.0 / 506.2 would give 100.0 %, 505.97 / 506.23 gives 99.9 %.
    goal = on_step_time()
    assert isinstance(goal.before, Number)
    before, after = (
        replace(goal.before, quantity=Quantity(value=Fraction(v, 3), unit="ns")) for v in (1518700000, 1517900000)
    )
    value = Fraction(1517900000, 1518700000) if subject == "ratio" else Fraction(-800000, 3)
    judged = replace(goal.before, quantity=Quantity(value=value, unit="1" if subject == "ratio" else "ns"))
    limit = (
        Quantity(value=Fraction("0.85"), unit="1", written="85%")
        if subject == "ratio"
        else Quantity(value=0, unit="ns")
    )
    asked = replace(
        goal, subject=subject, before=before, after=after, value=judged, interval=None, margin=None,
        limit=replace(goal.limit, quantity=limit),
        delta=replace(judged, quantity=Quantity(value=Fraction(-800000, 3), unit="ns")),
    )  # fmt: skip
    assert wording.arithmetic_text(asked, "en").replace("\u00a0", " ") == text


def test_an_agreed_value_is_not_called_before() -> None:
    report = sample_report()
    goal = next(goal for goal in report.goals if goal.metric == "step_time")
    assert isinstance(goal.delta, Number)
    asked = replace(goal, subject="delta", baseline="fixed", value=goal.delta, interval=None, margin=None)
    changed = replace(report, goals=(asked,))
    said = explanation(changed, look_up(changed, asked.id), "en").split("\nMeasured value")[0]
    has(said, "agreed value 230.1 ms", "AFTER 160.4 ms", "arithmetic 160.4 ms - 230.1 ms = -69.7 ms")
    assert "BEFORE" not in said.partition("decision rule")[2].partition("judged on")[0]


def test_single_values_that_differ_look_unlike() -> None:
    report = sample_report()
    row = next(row for row in report.metrics if row.metric.endswith("_share") and isinstance(row.after.value, Number))
    assert isinstance(row.after.value, Number)
    shares = [Fraction(one) for one in ("0.0222", "0.0224", "0.022401")]
    sample = tuple(replace(row.after.value, quantity=Quantity(value=one, unit="1")) for one in shares)
    changed = replace(row, after=replace(row.after, sample=sample, labels=("2", "3", "4")))
    several = replace(report, metrics=tuple(changed if one is row else one for one in report.metrics))
    has(explanation(several, look_up(several, row.id), "en"), "single values 2: 2.2200%, 3: 2.2400%, 4: 2.2401%")


def test_nothing_is_made_of_two_sides_that_are_not_comparable() -> None:
    report = sample_report("not_comparable")
    goal = next(goal for goal in report.goals if goal.metric == "step_time")
    assert isinstance(goal.before, Number)
    ratio = Number(quantity=Quantity(value=Fraction(978, 1000), unit="1"), origins=goal.before.origins)
    report = replace(report, goals=(replace(goal, subject="ratio", value=ratio),))
    text = explanation(report, look_up(report, goal.id), "en")
    has(text, "BEFORE 230.1 ms (exactly 230100000 ns)", "AFTER 160.4 ms (exactly 160400000 ns)", "value not judged")
    assert "0.978" not in text
    for name in ("step_time@rank0", "operator/Mul@rank0"):
        text = explanation(report, look_up(report, name), "en")
        has(text, "BEFORE", "AFTER", "not comparable")
        labels = ("AFTER - BEFORE", "AFTER / BEFORE")
        assert not [line for line in text.splitlines() if line.strip().startswith(labels)]
        assert "captures differ" not in text


@pytest.mark.parametrize("identity", ["rule:fsdp2-free-time", "fsdp2-free-time"])
def test_a_rule_shows_bands_scope_and_document(out: Path, identity: str) -> None:
    has(
        explained(out, identity),
        "bands within reference [0.0%, 3.0%)",
        "AFTER 2.4%",
        "fsdp2-free MindSpeed LLM FSDP2",
        "quote 其占比应小于 3% (verbatim)",
    )


def test_an_operator(out: Path) -> None:
    has(explained(out, "operator/Mul@rank0"), "calls per step 629 (exactly 629)", "AFTER - BEFORE -4.103 ms")


def test_an_origin_shows_what_rests_on_it(out: Path) -> None:
    limit = sample_report().goals[0].limit.origins[0]
    has(explained(out, limit), "bytes 3,120", "rests on it goal:G1")


def test_in_chinese(out: Path) -> None:
    text = explained(out, "step_time@rank0", "zh")
    has(text, "精确值 160400000 ns", "判定 达标", "出处" if "出处" in text else "公式")
    assert "exactly" not in text
    assert "逐个取值" in text
    has(explained(out, "operator/Mul@rank0", "zh"), "变化类型 变化")


def test_without_an_id_all_are_listed(out: Path) -> None:
    text = reportgen("explain", out, "--language", "en").out
    report = sample_report()
    has(
        text,
        "M1 step_time@rank0 step time, rank 0",
        "goal:G1 step time at most 170 ms",
        "rule:fsdp2-free-time free share",
    )
    listed = [line for line in text.splitlines() if line.startswith("  ")]
    assert len(listed) == len(entries(report))


def test_every_id_can_be_explained(out: Path) -> None:
    report = sample_report("undecided")
    for entry in entries(report):
        for language in ("en", "zh"):
            assert explanation(report, look_up(report, entry.id), language)


# ------------------------------------------------------------------------------------------------ ids
@pytest.mark.parametrize(
    ("identity", "near"),
    [
        ("step_tim@rank0", "step_time@rank0"),
        ("peak_reserved", "peak_reserved/APP@rank0"),
        ("STEP_TIME", "step_time@rank0"),
        ("goal:G9", "goal:G"),
        ("nothing_like_it_at_all", "without ID all"),
        ("aic_mac_ratio:after", "aic_mac_ratio@rank0"),
    ],
)
def test_an_unknown_id_lists_near_ones(out: Path, identity: str, near: str) -> None:
    result = reportgen("explain", out, identity)
    assert (result.code, result.out) == (2, "")
    assert "[id_unknown]" in result.err
    assert near in result.err


def test_an_id_that_names_several_things_is_refused() -> None:
    report = sample_report()
    twice = replace(report, goals=(replace(report.goals[0], id="M1"), *report.goals[1:]))
    with pytest.raises(ReportgenError) as caught:
        look_up(twice, "M1")
    assert caught.value.code == "id_ambiguous"
    assert "goal:M1" in caught.value.hint
    assert look_up(twice, "goal:M1").kind == "goal"


def test_a_part_may_end_like_a_side() -> None:
    report = sample_report()
    odd = replace(report.metrics[0], id="M9999", name="step_time/a:after")
    found = look_up(replace(report, metrics=(*report.metrics, odd)), "step_time/a:after")
    assert (found.id, found.side) == ("M9999", "")


# ------------------------------------------------------------------------------------------------ every id
NOT_EXPLAINED = ("f", "k", "s", "main", "contents", "result")
"""Anchors that are no ids of the report: lines of the manifest, heads of groups, sections, results of goals."""


def printed() -> list[str]:
    """Ids of a page with every part: anchors, and what stands in its text like one."""
    shown = Page(page("en"), ())
    anchors = [one for one in shown.ids if re.match(r"[A-Za-z]+", one)[0] not in NOT_EXPLAINED]  # type: ignore[index]
    texts = re.findall(r"(?<![\w-])[OMKXWDAC]\d+(?![\w-])", shown.root.words())
    known = {entry.id for entry in entries(whole())}
    return list(dict.fromkeys([*anchors, *(text for text in texts if text in known)]))


def test_every_id_that_a_page_prints_is_explained_with_its_origins() -> None:
    report, kinds = whole(), set()
    ids = printed()
    assert len(ids) > 400
    many = [one for one in ids if re.match(r"M|O\d|rule:", one)]
    for identity in [one for one in ids if one not in many] + many[::9]:  # looking up all takes half a minute
        found = look_up(report, identity)
        kinds.add(found.kind)
        for language in ("en", "zh"):
            text = explanation(report, found, language)  # type: ignore[arg-type]
            assert found.id in text.partition("\n")[0], identity
            for origin in found.origins:
                assert origin.origin.digest in text, (identity, origin.id)
                assert origin.origin.file.removeprefix("target:") in text, (identity, origin.id)
    assert kinds == {entry.kind for entry in entries(report)}
    assert kinds >= {"metric", "operator", "attribution", "worse", "goal", "rule", "accuracy", "inflation", "gate"}


@pytest.mark.parametrize(
    ("identity", "words"),
    [
        ("F1", "a file of the manifest: "),
        ("F0", "without ID all"),
        ("lengths[256k]", "a case of the target; its goals are goal:tpot[256k]"),
        ("compare-one-step", "`reportgen sources compare-one-step` opens it"),
        ("run.prefix_cache_hits", "a compared fact"),
        ("gate:G11", "did you mean gate:G1"),
        ("result:step", "did you mean"),
        ("s-target", "without ID all"),
    ],
)
def test_what_a_page_prints_and_nothing_explains_is_told_in_one_line(identity: str, words: str) -> None:
    with pytest.raises(ReportgenError) as caught:
        look_up(whole(), identity)
    assert caught.value.code == "id_unknown"
    assert words in (caught.value.hint or "")
    assert "\n" not in f"{caught.value.message}{caught.value.hint}"


# ------------------------------------------------------------------------------------------------ json
def test_json_holds_the_row_its_origins_and_its_documents(out: Path) -> None:
    found = json.loads(reportgen("explain", out, "free_share@rank0", "--json").out)
    assert (found["id"], found["kind"], found["side"]) == ("M13", "metric", "")
    assert found["row"]["after"]["value"]["quantity"]["exact"] == "39/1604"  # 3.9 ms of 160.4 ms
    assert [rule["id"] for rule in found["rules"]] == ["fsdp2-free-time"]
    assert [source["id"] for source in found["sources"]] == ["fsdp2-free"]
    named = {origin for side in ("before", "after") for origin in found["row"][side]["value"]["origins"]}
    assert named <= {row["id"] for row in found["origins"]}
    alone = json.loads(reportgen("explain", out, "free_share@rank0:before", "--json").out)
    assert alone["side"] == "before"
    assert {row["origin"]["file"].partition("/")[0] for row in alone["origins"]} == {"before"}
    listed = json.loads(reportgen("explain", out, "--json").out)
    assert {"id": "M1", "name": "step_time@rank0", "kind": "metric"} in listed


# ------------------------------------------------------------------------------------------------ strangers
def write(directory: Path, report: Report) -> Path:
    text = to_json(report).encode("utf-8", "surrogatepass")
    (directory / "report.json").write_bytes(
        text.replace(b"\xed\xa0\x80", b"\\ud800").replace(b"\xed\xb3\xbf", b"\\udcff")
    )
    return directory


def test_no_control_character_of_a_strangers_file_is_printed(tmp_path: Path) -> None:
    report = odd_reports.hostile("\x1b[2J\x9b31m")
    report = replace(report, operators=report.operators[:3])
    out = write(tmp_path, report)
    for arguments in (
        (),
        ("M1",),
        ("M19",),
        ("O1",),
        ("goal:G1",),
        ("K1",),
        ("M1", "--json"),
        ("O1", "--json"),
        ("--json",),
    ):
        for language in ("en", "zh"):
            result = reportgen("explain", out, *arguments, "--language", language)
            assert result.code in (0, 2), arguments
            printed = (result.out + result.err).replace("\n", "")
            assert not any(
                ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u200b\ud800\udcff" for c in printed
            )


def test_fields_that_contradict_each_other_are_no_traceback(tmp_path: Path) -> None:
    found = json.loads(to_json(sample_report()))
    found["metrics"][0]["after"]["labels"] = ["1"]  # nine values and one label
    (tmp_path / "report.json").write_text(json.dumps(found), "utf-8")
    result = reportgen("explain", tmp_path, "M1")
    assert result.code == 2
    assert "[report_invalid]" in result.err


def test_what_is_no_report_exits_2(tmp_path: Path) -> None:
    assert reportgen("explain", tmp_path).code == 2
    (tmp_path / "report.json").write_text("{}")
    assert "[report_invalid]" in reportgen("explain", tmp_path, "M1").err
