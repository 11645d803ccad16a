"""Law 3, origin: every number of a report reaches a file, its digest, a place in it and a formula.

Walked over the reports of the example pair, of generated pairs with and without faults, and of published captures; and
over the pages of one report that has every part at once, from the figures as they are printed.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from captures.generator import TorchSpec
from corpus import ADD_PYPTO, ADD_TORCH, GELU, MATMUL, needs_corpus, prof, torch
from jobs import AFTER, TORCH, Pace, write_pair
from report.page import Element, Page
from report.walk import every_number_reaches_an_origin
from whole_report import page, whole

from reportgen.contract import read_target
from reportgen.pipeline import build_report, evaluate, read_note, run
from reportgen.report import html, tables
from reportgen.report.document import Number, Report
from reportgen.report.formal import FormName
from reportgen.report.lookup import origins_of
from reportgen.report.places import formula_text, locator_text
from reportgen.report.translations import Language
from reportgen.report.view import Context, line

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_the_example_report() -> None:
    report = run(
        EXAMPLES / "before",
        EXAMPLES / "after",
        target=read_target(EXAMPLES / "target.toml"),
        note=read_note(EXAMPLES / "note.md"),
    )
    assert every_number_reaches_an_origin(report) > 500


@pytest.mark.parametrize(
    "after",
    [
        AFTER,
        replace(AFTER, steps=1),
        replace(AFTER, memory=None),
        replace(AFTER, level="Level0"),
        replace(AFTER, markers=False),
        replace(AFTER, communication_statistic=True),
    ],
    ids=["ten steps", "one step", "no memory", "another level", "no steps", "counted collectives"],
)
def test_generated_pairs(tmp_path: Path, after: TorchSpec) -> None:
    report = build_report(evaluate(*write_pair(tmp_path, TORCH, after)))
    assert every_number_reaches_an_origin(report) > 50


def test_the_spread_between_ranks(tmp_path: Path) -> None:
    """Both ends of every spread reach the files of their own ranks, and the figures beside a row show them."""
    two = {"ranks": (0, 1), "world_size": 2, "pace": Pace(rank_permille=(1000, 1200))}
    report = build_report(evaluate(*write_pair(tmp_path, replace(TORCH, **two), replace(AFTER, **two))))
    assert every_number_reaches_an_origin(report) > 100
    origins = {row.id: row.origin for row in report.origins}
    directories = {(block.side, rank.rank): rank.directory for block in report.captures for rank in block.ranks}
    seen = 0
    for row in report.metrics:
        for side, found in (("before", row.spread_before), ("after", row.spread_after)):
            assert found is None or row.worst
            for number, rank in ((found.least, found.least_rank), (found.most, found.most_rank)) if found else ():
                files = {origins[identity].file for identity in number.origins}
                own = f"{side}/{directories[side, rank]}/"  # type: ignore[index]
                assert any(file.startswith(own) for file in files), (row.name, files)
                seen += 1
    assert seen > 50
    context = Context(report=report, language="en", edition="paper", sections={}, origins=origins)
    row = next(row for row in report.metrics if row.metric == "step_time" and row.worst)
    shown = {identity for where in line(context, row).where for identity in where.id.split(", ")}
    assert row.spread_after is not None
    assert {*row.spread_after.least.origins, *row.spread_after.most.origins} <= shown


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(
    "pair",
    [
        lambda: (prof(GELU[0]), prof(GELU[1])),
        lambda: (prof(MATMUL[0]), prof(MATMUL[1])),
        lambda: (prof(ADD_TORCH), prof(ADD_PYPTO)),
        lambda: (torch(0, 0), torch(1, 0)),
    ],
)
def test_published_pairs(pair: object) -> None:
    report = build_report(evaluate(*pair()))  # type: ignore[operator]
    assert every_number_reaches_an_origin(report) > 20


# ------------------------------------------------------------------------------------------------ pages
PARTS = (
    "goals", "conformity", "captures", "metrics", "known_spreads", "series", "operators", "runs", "accuracy",
    "precision", "inflation", "gates", "attachments", "thresholds", "bottleneck", "diagnoses", "gaps", "sources",
    "note", "form", "manifest", "origins", "attributions", "run_figures",
)  # fmt: skip
"""Parts of a report that are there for some inputs alone."""
OWN_WORDS = {
    "s-collectives": {"1", "9"}, "s-memory": {"1", "1024"}, "s-glossary": {"9"}, "s-method": {"5"},
}  # fmt: skip
"""Section -> numbers of units (1 GiB is 1024 MiB, 1 GB/s is 10^9 B/s) and of our own choices, which measure nothing."""
QUOTED = ("s-thresholds", "s-gaps")
"""Sections that quote documents by name, which ``reportgen sources`` opens."""


def files(report: Report) -> tuple[str, ...]:
    return tuple(row.path for row in report.manifest)


def test_the_whole_report_has_every_part() -> None:
    report = whole()
    assert [name for name in PARTS if not getattr(report, name)] == []
    assert report.elsewhere.worse
    assert {row.outcome for row in report.goals} >= {"met", "not_met", "undecided"}
    assert {row.baseline for row in report.goals} == {"before", "fixed"}
    assert {row.tag for row in report.goals} >= {"profiled", "unprofiled", "hand-typed"}
    assert any(row.equivalence is not None for row in report.metrics)
    assert every_number_reaches_an_origin(report) > 4000


@pytest.mark.parametrize("form", ["brief", "formal"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_figure_of_a_page_is_said_where_it_comes_from(language: str, form: FormName) -> None:
    found = Page(page(language, form), files(whole())).uncovered()
    bare = [
        (section, number, text)
        for section, number, text in found
        if section not in QUOTED and number not in OWN_WORDS.get(section, ())
    ]
    assert bare == []


def test_a_figure_without_its_origin_is_seen() -> None:
    """The walk can fail: a sentence with a figure that no row has."""
    text = page("en").replace("</main>", "<p>It took 123.4\u00a0ms.</p></main>", 1)
    assert text != page("en")
    assert ("123.4", "It took 123.4 ms.") in [
        (number, words) for _, number, words in Page(text, files(whole())).uncovered()
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_page_folds_out_is_what_the_origins_say(language: Language) -> None:
    """File, digest, place and formula of each origin that a page names; a row folds out all that it rests on."""
    report = whole()
    origins = {row.id: row.origin for row in report.origins}
    rows = {row.id: row for row in report.metrics}
    shown = Page(page(language), files(report))
    seen = set()
    for fold in (one for one in shown.root.all() if one.tag == "details"):
        words, named = fold.words(), set()
        for place in (one for one in fold.all() if one.tag == "dd"):
            ids = re.search(r"\[(O\d+(?:, O\d+)*)\]", place.words())
            for identity in ids[1].split(", ") if ids else ():
                origin = origins[identity]
                assert origin.file.removeprefix("target:").rpartition("/")[2] in place.words()
                link = next((one.attributes["href"][1:] for one in place.all() if one.tag == "a"), None)
                assert origin.digest in (shown.ids[link].words() if link else place.words())
                first = origin.locator.partition("; ")[0]
                same = locator_text(first, language) in place.words() or any(
                    word in place.words() for word in ("same place", "same columns", "同上")
                )
                assert same, (identity, first, place.words())
                assert not origin.formula or formula_text(origin.formula, language) in words, (identity, words)
                named.add(identity)
        row = rows.get(words.rpartition(" = ")[0].rpartition(" | ")[2].strip())
        for side in (row.before, row.after) if row is not None else ():
            assert not isinstance(side.value, Number) or set(side.value.origins) <= named, words
        seen |= named
    assert len(seen) > 300


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_origin_printed_by_its_number_stands_in_the_table_of_origins_on_paper(language: Language) -> None:
    """Goals on logs and on typed values have no metric row, so their origins are printed themselves; and so is that of
    a log of which steps are left out."""
    first, *others = whole().runs
    (series,) = first.series
    cut = replace(series, left_out=("warm_up", *series.left_out[1:]))
    report = replace(whole(), runs=(replace(first, series=(cut,)), *others))
    paper = html.document(report, language=language, digest="0" * 64, edition="paper")
    assert set(re.findall(r'href="#(o-[^"]*)"', paper)) <= set(re.findall(r'id="(o-[^"]*)"', paper))
    shown = re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style|svg).*?</\1>", "", paper, flags=re.DOTALL))
    printed = {one for some in re.findall(r"\[(O\d+(?:, O\d+)*)\]", shown) for one in some.split(", ")}
    judged = [goal for goal in report.goals if not goal.metric_row and isinstance(goal.before, Number)]
    assert {goal.id for goal in judged} == {"step", "rate", "tpot[256k]", "tpot[512k]"}
    for goal in judged:
        assert isinstance(goal.before, Number)
        assert set(goal.before.origins) <= printed, goal.id
    assert set(series.origins) <= printed
    for identity in printed:
        assert f'<span id="o-{identity}">{identity}</span>' in paper or f'id="o-{identity}"></span>' in paper, identity


@cache
def on_paper(form: FormName) -> Page:
    text = html.document(whole(), language="en", digest="0" * 64, edition="paper", form=form)
    return Page(text, files(whole()))


def assured_rows() -> dict[str, tuple[str, ...]]:
    """Id in the page of each gate, criterion of accuracy and inflation -> every origin below it."""
    report = whole()
    rows = {f"gate:{gate.id}": tuple(origins_of(gate)) for gate in report.gates}
    rows |= {row.id: tuple(origins_of(row)) for row in (*report.accuracy, *report.inflation)}
    assert len([found for found in rows.values() if found]) == 9 + 2 + 2  # G10 found nothing recorded
    return rows


def test_whatever_a_gate_looked_at_has_an_origin() -> None:
    """Texts hold numbers too: kept steps, ranks, batch sizes, captures and runs."""
    for gate in whole().gates:
        for fact in gate.facts:
            if fact.before_text or fact.after_text:
                assert fact.origins, (gate.id, fact.name)
    for row in whole().accuracy:
        assert {digest for _file, digest in row.files} <= {
            one.origin.digest for one in whole().origins if one.id in row.origins
        }, row.id


@pytest.mark.parametrize("form", ["brief", "formal"])
def test_gates_and_criteria_lead_to_their_origins_on_paper(form: FormName) -> None:
    """Each row names a line of the table of origins (or the metric rows that hold its numbers), and that line names the
    files that the report's own data give for it."""
    shown = on_paper(form)
    lines = {name: one.up("tr") for name, one in shown.ids.items() if name.startswith("o-")}
    origins = {row.id: row.origin for row in whole().origins}
    numbered = {row.digest: f"F{number}" for number, row in reversed(list(enumerate(whole().manifest, 1)))}
    for identity, needed in assured_rows().items():
        row = shown.ids[identity]
        named = [one.attributes["href"][1:] for one in row.all() if one.attributes.get("class") == "ref"]
        assert bool(named) == bool(needed), identity
        words = " ".join(line.words() for line in (lines[name] for name in named) if line is not None)
        for one in needed:
            assert re.search(rf"\b{numbered[origins[one].digest]}\b", words), (identity, origins[one])


def linked(element: Element) -> list[str]:
    return [one.attributes["href"][1:] for one in element.all() if "href" in one.attributes]


def test_gates_and_criteria_fold_out_their_origins_on_screen() -> None:
    shown = Page(page("en"), files(whole()))
    for identity, needed in assured_rows().items():
        held = [shown.ids[identity]]
        for _step in range(2):  # the row of a metric may lead to the line among all metrics
            targets = [shown.ids[name] for one in held for name in linked(one) if name.startswith("M")]
            held += [one.up("tr") or one for one in targets]
        words = " ".join(one.words() for one in held)
        assert [one for one in needed if not re.search(rf"\b{one}\b", words)] == [], identity


def test_the_table_of_goals_names_the_origins_of_a_goal_without_a_metric_row() -> None:
    text = tables.render(whole(), "en")["tables/goals.csv"].decode("utf-8-sig")
    rows = {row["no."]: row["evidence no."] for row in csv.DictReader(io.StringIO(text, newline=""))}
    for goal in whole().goals:
        if goal.metric_row:
            assert rows[goal.id] == goal.metric_row
        elif isinstance(goal.before, Number) and isinstance(goal.after, Number):
            assert {*goal.before.origins, *goal.after.origins} <= set(rows[goal.id].split(", ")), goal.id
        else:
            assert rows[goal.id] == ""
