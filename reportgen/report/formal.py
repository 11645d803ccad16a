"""The formal form: the pages of the report in the order of an acceptance file, with what stands around them.

Cover, statements, signature page, revision record and contents come first, then page one as the summary, then the
numbered sections; the conclusion is an empty form for the parties. What the target does not give stays a labelled
blank. The sections that both forms have are taken from the same templates and only put in another order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup

from reportgen.model import Outcome, Side
from reportgen.outside import WITNESS, step_ranges
from reportgen.report import messages, wording
from reportgen.report.document import CaseRow, ContractBlock, FormBlock, MetricRow, RunRow
from reportgen.report.translations import mark
from reportgen.report.view import VALUE, Context

FormName = Literal["brief", "formal"]
"""Which form the report takes: its own pages alone, or those of an acceptance file."""
ORDER = (
    "overview",
    "target",
    "environment",
    "plan",
    "conformity",
    "runs",
    "measurements",
    "breakdown",
    "bottleneck",
    "operators",
    "units",
    "collectives",
    "memory",
    "clock",
    "host",
    "thresholds",
    "*",
    "captures",
    "deviations",
    "gaps",
    "note",
    "conclusion",
    "manifest",
    "commands",
    "glossary",
    "method",
)
"""Section ids in the order of an acceptance file; ``*`` stands for every section that is not named."""
OWN = ("overview", "environment", "plan", "deviations", "conclusion", "commands")
"""Sections that only this form has."""
AWAY = ("verdict", "signoff")
"""Sections that stand elsewhere in it: page one, and the signature page."""
TITLES: dict[str, str] = {
    "overview": mark("Overview: purpose, scope, basis"),
    "target": mark("Test object, goals and change list"),
    "environment": mark("Test environment"),
    "plan": mark("Test method"),
    "deviations": mark("Deviations and open issues"),
    "conclusion": mark("Conclusion"),
    "manifest": mark("Appendix: raw data with digests"),
    "commands": mark("Appendix: commands"),
    "glossary": mark("Appendix: terms and formulas"),
    "method": mark("Appendix: method, formulas and origins"),
}
"""Section id -> its title in this form, where that is another than in the brief one."""
PHASES = {
    "initial": mark("initial acceptance"),
    "final": mark("final acceptance"),
    "retest": mark("retest"),
}
"""Phases of acceptance."""
STATEMENTS = (
    mark("This report answers only for the test objects, versions, environment and load that it lists."),
    mark("Its outcomes concern the agreed goals only and are no conclusion on the acceptance of the project."),
    mark("This report is not a test report under a CNAS or CMA accreditation."),
    mark("No partial reproduction without written consent."),
)
"""The fixed statements."""
FOR_HAND = (mark("passed"), mark("passed on conditions"), mark("not passed"))
"""Words beside the empty boxes of the conclusion: for the parties to mark by hand, never chosen here."""
_HEADING = re.compile(r'(?=<h2 id="s-([a-z_]+)">)')
BLANK_ROWS = 3
"""Empty lines of a table to be filled in by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A labelled text; an empty one is a labelled blank."""

    label: str
    """Label."""
    text: str
    """Text; empty: not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """One case of the test method."""

    id: str
    """Case."""
    clause: str
    """Clause."""
    load: str
    """Load model as agreed; empty: not agreed."""
    goals: str
    """Ids of its goals."""
    profiled: str
    """Whether the captures were taken of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formal:
    """What only this form prints."""

    mark: str
    """Confidentiality mark; empty: not given."""
    cover: tuple[Entry, ...]
    """Lines of the cover."""
    replaces: str
    """The report that this one replaces; empty without one."""
    statements: tuple[str, ...]
    """Fixed statements."""
    authors: tuple[Entry, ...]
    """Who prepared, reviewed and approved it."""
    parties: tuple[Entry, ...]
    """Who signs and seals."""
    revisions: tuple[tuple[str, str, str, str], ...]
    """(version, date, what, by)."""
    blanks: range
    """One for each empty line of a table."""
    overview: tuple[Entry, ...]
    """Purpose and scope."""
    basis: tuple[str, ...]
    """Documents that it rests on."""
    environment: tuple[Entry, ...]
    """Machines, network, tool."""
    plan: tuple[Entry, ...]
    """Phase, time, place, people, data set, repeats, exclusions."""
    cases: tuple[CaseLine, ...]
    """Cases."""
    deviations: tuple[tuple[str, str, str, str, str], ...]
    """(number, what, effect, remedy, retest)."""
    open: tuple[tuple[str, str, str], ...]
    """Goals that are not met or undecided: (id, outcome, why)."""
    standing: str
    """The counts of the goals."""
    outcomes: str
    """The section that lists the goals with their outcomes."""
    boxes: tuple[str, ...]
    """Words beside the empty boxes."""
    commands: tuple[str, ...]
    """Commands that made the report."""


def ordered(ids: Iterable[str]) -> tuple[str, ...]:
    """The sections of a report in the order of this form, its own among them."""
    have = [identity for identity in ids if identity not in AWAY]
    others = [identity for identity in have if identity not in ORDER]
    found: list[str] = []
    for identity in ORDER:
        if identity == "*":
            found += others
        elif identity in OWN or identity in have:
            found.append(identity)
    return tuple(found)


def pieces(page: str) -> dict[str, Markup]:
    """Rendered sections apart, by id; what stands before the first heading is left out."""
    parts = _HEADING.split(page)
    return {identity: Markup(text) for identity, text in zip(parts[1::2], parts[2::2], strict=True)}  # noqa: S704


def render(environment: Any, context: Context, values: Mapping[str, Any], commands: Sequence[str]) -> str:
    """The whole page.

    Args:
        environment: the templates.
        context: the context, its sections in the order of this form.
        values: what the sections print; of page one alone only what it prints.
        commands: command lines that made the report.
    """
    own = {**values, "formal": _formal(context, commands)}
    parts = {
        identity: part
        for name in (() if own["only_page_one"] else ("sections", "formal_sections"))
        for identity, part in pieces(environment.get_template(f"{name}.html.j2").render(own)).items()
    }
    page: str = environment.get_template("formal.html.j2").render({**own, "parts": parts})
    return page


def _formal(context: Context, commands: Sequence[str]) -> Formal:
    """What only this form prints."""
    contract, form = context.report.contract, context.report.form
    assert contract is not None
    assert form is not None
    verdict = context.report.verdict
    return Formal(
        mark=context.fit(form.confidentiality, VALUE),
        cover=_cover(context, contract, form),
        replaces=form.replaces,
        statements=tuple(context.text(text) for text in STATEMENTS),
        authors=_entries(
            context,
            (mark("Prepared"), form.prepared),
            (mark("Reviewed"), form.reviewed),
            (mark("Approved"), form.approved),
        ),
        parties=_entries(
            context,
            (mark("Customer (party A)"), contract.customer),
            (mark("Contractor (party B)"), contract.contractor),
            (mark("Supervisor or witness"), contract.witness),
        ),
        revisions=tuple((row.version, row.date, row.what, row.by) for row in form.revisions),
        blanks=range(BLANK_ROWS),
        overview=_entries(context, (mark("purpose"), form.purpose), (mark("scope"), form.scope)),
        basis=_basis(context, contract, form),
        environment=_entries(
            context,
            (mark("machines and network"), form.topology),
            (mark("made by"), f"{context.report.tool} {context.report.tool_version}"),
        ),
        plan=_plan(context, form),
        cases=tuple(_case(context, case) for case in contract.cases),
        deviations=tuple((row.no, row.what, row.effect, row.remedy, row.retest) for row in form.deviations),
        open=_open(context),
        standing=context.series(wording.verdict_subline(context.report, context.language)) if verdict else "",
        outcomes="conformity" if "conformity" in context.sections else "measurements",
        boxes=tuple(context.text(word) for word in FOR_HAND),
        commands=tuple(commands),
    )


def _entries(context: Context, *pairs: tuple[str, str]) -> tuple[Entry, ...]:
    return tuple(Entry(label=context.text(label), text=text.strip()) for label, text in pairs)


def _cover(context: Context, contract: ContractBlock, form: FormBlock) -> tuple[Entry, ...]:
    """Lines of the cover."""
    phase = context.text(PHASES[form.phase]) if form.phase in PHASES else ""
    return _entries(
        context,
        (mark("report no."), contract.report_number),
        (mark("project"), contract.title),
        (mark("contract no."), contract.reference),
        (mark("client"), form.client or contract.customer),
        (mark("contracting unit"), contract.contractor),
        (mark("test unit"), form.test_unit or contract.contractor),
        (mark("phase of acceptance"), phase),
        (mark("version"), form.version),
        (mark("date"), contract.issued),
    )


def _basis(context: Context, contract: ContractBlock, form: FormBlock) -> tuple[str, ...]:
    """The contract, the target file, then what the target names."""
    signed = context.text("signed on %(date)s", date=contract.signed) if contract.signed else ""
    agreed = wording.in_parentheses(contract.reference, signed, context.language) if signed else contract.reference
    files = [
        context.text("target file %(name)s, SHA-256 %(digest)s", name=row.origin.file[7:], digest=row.origin.digest)
        for row in context.report.origins
        if row.origin.file.startswith("target:")
    ]
    return (agreed, *files[:1], *form.basis)


# ------------------------------------------------------------------------------------------- test method
def _plan(context: Context, form: FormBlock) -> tuple[Entry, ...]:
    """Phase, time, place, people, data set, repeats and what was left out."""
    days = "–".join(dict.fromkeys(filter(None, (form.started, form.ended))))
    return _entries(
        context,
        (mark("phase of acceptance"), context.text(PHASES[form.phase]) if form.phase in PHASES else ""),
        (mark("days of the test"), days),
        (mark("captures taken (UTC)"), _taken(context)),
        (mark("place"), form.place),
        (mark("carried out by"), _names(context, form.testers)),
        (mark("witnessed by"), _names(context, form.witnessed)),
        (mark("data set"), form.data_set),
        (mark("captures on each side"), _repeats(context)),
        *(((mark("runs outside the profile, on each side"), _runs(context)),) if context.report.runs else ()),
        (mark("warm-up and exclusion"), _excluded(context)),
    )


def _names(context: Context, names: Iterable[str]) -> str:
    return ("、" if context.language == "zh" else ", ").join(names)


def _taken(context: Context) -> str:
    """First start and last end of each side."""
    texts = []
    for side in Side:
        ranks = [rank for capture in context.report.captures if capture.side is side for rank in capture.ranks]
        times = sorted(text for rank in ranks for text in (rank.started, rank.ended) if text)
        if times:
            span = "–".join(dict.fromkeys((times[0][:16].replace("T", " "), times[-1][:16].replace("T", " "))))
            texts.append(f"{side.value.upper()} {span}")
    return context.series(texts)


def _repeats(context: Context) -> str:
    """How many captures each side has."""
    counts = [(side, sum(capture.side is side for capture in context.report.captures)) for side in Side]
    return context.series(f"{side.value.upper()} {count}" for side, count in counts)


def _runs(context: Context) -> str:
    """How many runs outside the profile each side has, case by case; a server's log is none."""
    results = [run for run in context.report.runs if all(doubt.code != WITNESS for doubt in run.doubts)]
    found = {case: [run.side for run in results if run.case == case] for case in dict.fromkeys(r.case for r in results)}
    texts = []
    for case, given in found.items():
        counts = _names(context, (f"{side.value.upper()} {given.count(side)}" for side in Side))
        texts.append(context.text(messages.COLON, name=case, text=counts) if len(found) > 1 else counts)
    return context.fit(context.series(texts), 3 * VALUE)


def _excluded(context: Context) -> str:
    """The steps that the step time leaves out on each side, by one rule for both; of logs too that goals are on."""
    logs = context.series(text for run in context.report.runs for text in _dropped_of_log(context, run) if text)
    captures = _excluded_of_captures(context)
    if not logs:
        return captures
    return wording.join(
        (
            context.text("Logs, which goals rest on: %(steps)s.", steps=logs),
            context.text("Captures: %(said)s.", said=captures),
        ),
        context.language,
    )


def _dropped_of_log(context: Context, run: RunRow) -> Iterable[str]:
    """Of each series of step times that a goal is on, what it leaves out."""
    for series in run.series:
        if series.metric == "step_time":
            steps = [label for label, why in zip(series.labels, series.left_out, strict=False) if why]
            name = f"{run.side.value.upper()} {run.file}"
            shown = step_ranges(steps) or context.text("none")
            kept = series.left_out.count("")
            yield context.text("%(side)s %(steps)s (%(kept)s kept)", side=name, steps=shown, kept=kept)


def _excluded_of_captures(context: Context) -> str:
    """Of the captures, of one rank."""
    rows = [row for row in context.report.metrics if row.metric == "step_time" and row.worst]
    if not rows:
        return context.text("no step time was measured, so no step is left out")
    found = context.series(text for row in rows[:1] for text in _dropped(context, row))
    return context.text(
        "one rule for both sides, in section %(section)s; left out: %(steps)s",
        section=context.sections["method"],
        steps=found,
    )


def _dropped(context: Context, row: MetricRow) -> Iterable[str]:
    for name, side in (("BEFORE", row.before), ("AFTER", row.after)):
        steps = ", ".join(side.dropped) or context.text("none")
        kept = len(side.sample)
        yield context.text("%(side)s %(steps)s (%(kept)s kept)", side=name, steps=steps, kept=kept)


def _case(context: Context, case: CaseRow) -> CaseLine:
    """One case with its load as agreed."""
    language = context.language
    load = context.series(
        f"{wording.fact_title(fact, language)} {wording.agreed_text(fact, text, language)}"
        for fact, text in case.workload
        if text
    )
    return CaseLine(
        id=case.id,
        clause=case.clause,
        load=context.fit(load, 3 * VALUE),
        goals=", ".join(goal.id for goal in context.report.goals if goal.case == case.id),
        profiled=context.text("yes") if case.profiled else context.text("no"),
    )


# ------------------------------------------------------------------------------------------- open issues
def _open(context: Context) -> tuple[tuple[str, str, str], ...]:
    """Goals without a good outcome; each is an open issue until the parties settle it."""
    language, report = context.language, context.report
    return tuple(
        (goal.id, wording.goal_outcome(report, goal, language), wording.say(goal.reason, language))
        for goal in report.goals
        if goal.outcome in (Outcome.NOT_MET, Outcome.UNDECIDED) or not context.comparing
    )
