"""Section "Target": what was agreed."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.report import numbers, wording
from reportgen.report.document import CaseRow, FixedRow, GoalRow
from reportgen.report.translations import mark
from reportgen.report.view import TEXT, VALUE, Context, shown_file


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalLine:
    """One goal as agreed."""

    id: str
    """Goal id."""
    case: str
    """Case id."""
    clause: str
    """Clause."""
    title: str
    """Metric."""
    limit: str
    """Limit."""
    on: str
    """What the limit is on, and by which statistic."""
    condition: str
    """Side condition and the goals it depends on."""
    file: str
    """File of the limit."""
    anchor: str
    """Its line in the manifest; empty when it is not listed there."""
    place: str
    """Key of the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSection:
    """What was agreed."""

    parties: tuple[tuple[str, str], ...]
    """(label, text)."""
    cases: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...]
    """(heading, ((fact, agreed), ...), facts that were not agreed)."""
    goals: tuple[GoalLine, ...]
    """Goals."""
    guarded: bool
    """Which rule."""
    may_differ: tuple[str, ...]
    """Keys."""
    changes: tuple[tuple[str, tuple[str, ...]], ...]
    """(what, keys)."""
    declared: tuple[tuple[str, str, str, str, str, str], ...]
    """(fact, value, signer, role, date, whether it was used)."""


def target(context: Context) -> TargetSection | None:
    """The section of the target; None without one."""
    contract, language = context.report.contract, context.language
    if contract is None:
        return None
    labels = (
        (mark("customer"), contract.customer),
        (mark("contractor"), contract.contractor),
        (mark("witness"), contract.witness),
        (mark("agreed in"), contract.reference),
        (mark("project"), contract.title),
        (mark("signed"), contract.signed),
    )
    return TargetSection(
        parties=tuple((context.text(label), context.fit(text, TEXT)) for label, text in labels if text),
        cases=tuple(_case(context, case) for case in contract.cases),
        goals=tuple(_goal(context, goal) for goal in context.report.goals),
        guarded=contract.decision_rule == "guarded",
        may_differ=contract.may_differ,
        changes=contract.changes,
        declared=tuple(
            (
                wording.fact_title(row.key, language),
                row.value,
                row.signer,
                row.role,
                row.date,
                context.text("yes") if row.used else context.text("no"),
            )
            for row in contract.declared
        ),
    )


def _case(context: Context, case: CaseRow) -> tuple[str, tuple[tuple[str, str], ...], str]:
    """Heading of a case, its workload as agreed, and what of it was not."""
    heading = context.text("case %(id)s", id=case.id)
    if case.clause:
        numbered = case.clause[:1].isdigit()
        heading = (
            context.text("%(case)s, clause %(clause)s", case=heading, clause=case.clause)
            if numbered
            else context.text("%(case)s (%(clause)s)", case=heading, clause=case.clause)
        )
    contract = context.report.contract
    if case.profiled and contract is not None and len(contract.cases) > 1:
        heading = context.text("%(case)s (the captures were taken of it)", case=heading)
    title = wording.fact_title
    held = [(context.text("held against"), context.text("no BEFORE was agreed"))] if case.alone else []
    held += [(context.text("held against"), _fixed(context, row)) for row in case.fixed]
    facts = [(title(fact, context.language), _agreed(context, fact, text)) for fact, text in case.workload if text]
    none = (title(fact, context.language) for fact, text in case.workload if not text)
    return heading, (*held, *facts), wording.listed(none, context.language)


def _fixed(context: Context, row: FixedRow) -> str:
    """A value that was agreed in the place of BEFORE: metric, value, source, file."""
    language = context.language
    title = wording.titled(row.metric, row.part, row.kind, language)
    statistic = wording.statistic_word(row.statistic, language)
    value = numbers.format_limit(row.value.quantity, metric_unit_hint=row.metric, language=language)
    where = f"{shown_file(row.file)}: {row.locator}" if row.file else ""
    return context.series(filter(None, (f"{title}, {statistic}: {value}", context.fit(row.source, VALUE), where)))


def _agreed(context: Context, fact: str, text: str) -> str:
    return context.fit(wording.agreed_text(fact, text, context.language), VALUE)


def _goal(context: Context, goal: GoalRow) -> GoalLine:
    """One goal as agreed."""
    language = context.language
    subject = wording.subject_text(goal, language)
    conditions = [goal.side_condition]
    if goal.subject_to:
        conditions.append(context.text("together with %(goals)s", goals=", ".join(goal.subject_to)))
    statistic = wording.statistic_word(goal.statistic, language)
    if goal.subject == "ratio" and goal.interval is not None and goal.baseline != "fixed":
        estimate = wording.estimate_text(goal, language)
        statistic = context.text("%(statistic)s; judged is the %(estimate)s", statistic=statistic, estimate=estimate)
    origin = context.origins[goal.limit.origins[0]]
    return GoalLine(
        id=goal.id,
        case=goal.case,
        clause=goal.clause,
        title=wording.goal_title(goal, language),
        limit=wording.goal_limit(goal, language),
        on=context.text("%(subject)s, %(statistic)s", subject=subject, statistic=statistic),
        condition=context.fit(context.series(filter(None, conditions)), VALUE),
        file=shown_file(origin.file),
        anchor=context.anchors.get(origin.digest, "") if origin.digest and not context.paper else "",
        place=origin.locator,
    )
