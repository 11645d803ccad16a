"""Ids of a report: what each names, and all that it rests on and that rests on it.

Every id that report.json and report.html print is taken:

    M3, peak_reserved/APP@rank0    a metric row: both sides; with ``:before`` or ``:after`` behind it one of them
    K2, operator/Mul@rank0         an operator type
    goal:G1 or G1                  a goal of the target
    rule:ID or ID                  an official rule
    A1, attribution@rank0          the change of the step of a rank taken apart
    X1, match/RmsNorm@rank0        operator types that likely match
    R1, run/qps/mean@CASE          a figure of the runs outside the profile
    W1, worse/free@rank0           a figure that is worse in AFTER
    D1, disagreement/latency@CASE  statistics of a quantity that disagree
    C1                             a criterion of accuracy
    I1                             what the profiler adds on one side
    gate:G5                        a gate
    O12                            an origin

The long ids of metrics and operators stay the same from report to report; M, K and O are numbers of one report.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal

from reportgen.errors import ReportgenError
from reportgen.plain import printable
from reportgen.report.assurance import AccuracyRow, GateRow, InflationRow
from reportgen.report.document import (
    AttributionRow,
    DisagreementRow,
    GoalRow,
    MatchRow,
    MetricRow,
    OperatorRow,
    OriginRow,
    Report,
    RunFigureRow,
    SourceRow,
    ThresholdRow,
    WorseRow,
)

Kind = Literal[
    "metric",
    "operator",
    "run",
    "attribution",
    "match",
    "worse",
    "disagreement",
    "goal",
    "rule",
    "accuracy",
    "inflation",
    "gate",
    "origin",
]
Changed = RunFigureRow | AttributionRow | MatchRow | WorseRow | DisagreementRow
"""Rows on what changed."""
Found = MetricRow | OperatorRow | Changed | GoalRow | ThresholdRow | AccuracyRow | InflationRow | GateRow | OriginRow
SIDES: tuple[Literal["before", "after"], ...] = ("before", "after")
NEAR = 6
"""Ids that are named when one is not known."""
COMPARED = 5000
"""Ids up to which near ones are looked for by likeness, which takes time; beyond, only by what they hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that can be explained."""

    id: str
    """Short id: ``M3``, ``K2``, ``goal:G1``, ``rule:ID``, ``O12``."""
    name: str
    """Long id that stays the same from report to report; empty where there is none."""
    kind: Kind
    """What it is."""
    found: Found
    """The row of the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One thing of a report with all that belongs to it."""

    id: str
    """Short id."""
    name: str
    """Long id; empty where there is none."""
    kind: Kind
    """What it is."""
    side: Literal["before", "after", ""]
    """The side asked for; empty: both."""
    row: Found
    """The row of the report."""
    judged: MetricRow | None
    """Of a goal: the metric row it was judged on; None for values measured outside the profile and for the others."""
    origins: tuple[OriginRow, ...]
    """What its numbers rest on, in the order of the report; of a goal on AFTER alone what is judged."""
    beside: tuple[OriginRow, ...]
    """Of a goal on AFTER alone: what BEFORE and the change rest on, which stand beside it and decide nothing."""
    goals: tuple[GoalRow, ...]
    """Goals that were judged on it."""
    rules: tuple[ThresholdRow, ...]
    """Official rules on its metric."""
    sources: tuple[SourceRow, ...]
    """Documents that those rules, or the rule itself, cite."""
    uses: tuple[str, ...]
    """Of an origin: ids of what rests on it."""
    decision_rule: str
    """``simple`` or ``guarded``; empty without a target."""


def entries(report: Report) -> tuple[Entry, ...]:
    """Everything that can be explained, kind by kind in the order of ``Kind``, each in the order of the report."""
    changed: tuple[tuple[Kind, tuple[Changed, ...]], ...] = (
        ("run", report.run_figures),
        ("attribution", report.attributions),
        ("match", report.matches),
        ("worse", report.elsewhere.worse),
        ("disagreement", report.elsewhere.disagreements),
    )
    return (
        *(Entry(id=row.id, name=row.name, kind="metric", found=row) for row in report.metrics),
        *(Entry(id=row.id, name=row.name, kind="operator", found=row) for row in report.operators),
        *(Entry(id=row.id, name=row.name, kind=kind, found=row) for kind, rows in changed for row in rows),
        *(Entry(id=f"goal:{row.id}", name="", kind="goal", found=row) for row in report.goals),
        *(Entry(id=f"rule:{row.id}", name="", kind="rule", found=row) for row in report.thresholds),
        *(Entry(id=row.id, name="", kind="accuracy", found=row) for row in report.accuracy),
        *(Entry(id=row.id, name="", kind="inflation", found=row) for row in report.inflation),
        *(Entry(id=f"gate:{row.id}", name="", kind="gate", found=row) for row in report.gates),
        *(Entry(id=row.id, name="", kind="origin", found=row) for row in report.origins),
    )


def look_up(report: Report, identity: str, where: str = "") -> Explanation:
    """One thing with all that belongs to it.

    Args:
        report: the report.
        identity: an id, see the top of this module.
        where: what an error names as its place.

    Raises:
        ReportgenError: ``id_unknown`` with near ids, ``id_ambiguous`` with the ids that tell them apart.
    """
    known = entries(report)
    side: Literal["before", "after", ""] = ""
    matches = [entry for entry in known if identity in _spellings(entry)]
    stem, _colon, end = identity.rpartition(":")
    if not matches and end in SIDES:
        side = "before" if end == "before" else "after"
        matches = [entry for entry in known if stem in _spellings(entry) and entry.kind in ("metric", "operator")]
    if not matches:
        raise ReportgenError(
            "id_unknown",
            f"{printable(identity)!r} names nothing in this report",
            where=where,
            hint=_other(report, identity) or _near(known, stem if side else identity),
        )
    if len(matches) > 1:
        ids = ", ".join(printable(entry.id) for entry in matches[:NEAR])
        raise ReportgenError(
            "id_ambiguous", f"{printable(identity)!r} names several things", where=where, hint=f"give one of {ids}"
        )
    return _explained(report, matches[0], side)


def _spellings(entry: Entry) -> tuple[str, ...]:
    """Every way to name an entry; a goal or rule also without its kind, a gate not, since goals may be called G1."""
    if entry.kind == "gate":
        return (entry.id,)
    return tuple(filter(None, (entry.id, entry.name, entry.id.partition(":")[2])))


def _other(report: Report, identity: str) -> str:
    """What an id names that the report prints and that is nothing to explain; empty for none of these."""
    number = identity.removeprefix("F")
    if number.isascii() and number.isdigit() and 0 < int(number[:9]) <= len(report.manifest) and number != identity:
        file = report.manifest[int(number[:9]) - 1]
        return f"it is a file of the manifest: {printable(file.path)}, SHA-256 {file.digest}"
    for case in report.contract.cases if report.contract is not None else ():
        if case.id == identity:
            goals = [f"goal:{printable(goal.id)}" for goal in report.goals if goal.case == identity]
            return f"it is a case of the target; its goals are {', '.join(goals[:NEAR])}"
    if identity in {*(one.id for one in report.sources), *(one.id for one in report.gaps)}:
        return f"`reportgen sources {identity}` opens it"
    if any(identity in (row.key, row.spelling) for row in report.comparability.rows):
        return "it is a compared fact: the section on comparability has both values and their files"
    return ""


def _near(known: tuple[Entry, ...], identity: str) -> str:
    """What to do instead: ids that hold the text or are like it."""
    names = list(dict.fromkeys(entry.name or entry.id for entry in known))
    wanted = identity.lower()
    near = _numbered(known, identity) or [name for name in names if wanted and wanted in name.lower()]
    if not near and len(names) <= COMPARED:
        near = difflib.get_close_matches(identity, names, n=NEAR, cutoff=0.5)
    listed = ", ".join(printable(name) for name in near[:NEAR])
    return f"did you mean {listed}? Without ID all are listed" if near else "without ID all that are known are listed"


def _numbered(known: Iterable[Entry], identity: str) -> list[str]:
    """Of a letter with a number the ids of that letter: the one of that number, else those of the nearest."""
    asked = _NUMBERED.fullmatch(identity)
    if asked is None:
        return []
    letter, number = asked[1].upper(), int(asked[2])
    found = [int(one[2]) for entry in known if (one := _NUMBERED.fullmatch(entry.id)) and one[1] == letter]
    if number in found:
        return [f"{letter}{number}"]
    return [f"{letter}{one}" for one in sorted(found, key=lambda one: abs(one - number))[:NEAR]]


_NUMBERED = re.compile(r"([A-Za-z])([0-9]{1,9})")
"""An id that the report counts, ``R1``."""


# --------------------------------------------------------------------------------------------- what belongs to it
def _explained(report: Report, entry: Entry, side: Literal["before", "after", ""]) -> Explanation:
    found = entry.found
    judged = None
    if isinstance(found, GoalRow):
        judged = next((row for row in report.metrics if row.id == found.metric_row), None)
    goals = tuple(goal for goal in report.goals if isinstance(found, MetricRow) and goal.metric_row == found.id)
    metric = found.metric if isinstance(found, MetricRow) else ""
    rules = tuple(rule for rule in report.thresholds if metric and rule.metric == metric)
    cited = {name for rule in rules for name in rule.sources}
    cited |= set(found.sources) if isinstance(found, ThresholdRow) else set()
    rests: object = found
    if side and isinstance(found, (MetricRow, OperatorRow)):
        rests = found.before if side == "before" else found.after
    ids = set(origins_of((rests, judged)))
    deciding = ids
    if isinstance(found, GoalRow) and found.subject == "after":
        deciding = set(_deciding(found, judged))
    return Explanation(
        id=entry.id,
        name=entry.name,
        kind=entry.kind,
        side=side,
        row=found,
        judged=judged,
        origins=tuple(row for row in report.origins if row.id in deciding or row is found),
        beside=tuple(row for row in report.origins if row.id in ids - deciding),
        goals=goals,
        rules=rules,
        sources=tuple(source for source in report.sources if source.id in cited),
        uses=tuple(_uses(report, found)) if isinstance(found, OriginRow) else (),
        decision_rule=report.contract.decision_rule if report.contract else "",
    )


def _deciding(goal: GoalRow, judged: MetricRow | None) -> Iterator[str]:
    """The origins of what decides a goal on AFTER alone; BEFORE and all that is formed of it are merely shown."""
    shown = ("before", "each_before", "delta", "change", "speed")
    yield from origins_of(tuple(getattr(goal, one.name) for one in fields(goal) if one.name not in shown))
    if judged is not None:  # its rank is the worst of all, which the spread of AFTER between them shows
        yield from origins_of((judged.after, judged.spread_after))


def origins_of(value: object) -> Iterator[str]:
    """The ids of all origins below a value, as they are met."""
    if isinstance(value, tuple):
        for item in value:
            yield from origins_of(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for item in fields(value):
            held = getattr(value, item.name)
            yield from held if item.name == "origins" else origins_of(held)


def _uses(report: Report, origin: OriginRow) -> Iterator[str]:
    """What rests on an origin."""
    for entry in entries(report):
        if entry.kind != "origin" and origin.id in set(origins_of(entry.found)):
            yield entry.name or entry.id
