"""Reports that are not like the example: one kernel without steps, hostile names, endless texts, many ranks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from reportgen.model import Family, Missing, MissingKind, Outcome, Quantity, Reason, Standing
from reportgen.report.document import ElsewhereBlock, MetricRow, Number, Report, SideValue
from tests.report.sample_report import sample_report

HOSTILE = (
    '<script>alert("x")</script>',
    '"><img src=x onerror=alert(1)>',
    "</style><script>1</script>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "evil\u202egpj.exe\u2066\u200b",
    "%(name)s %s %",
    "nul\x00bell\x07half\ud800surrogateescape\udcff",
    "&amp;&lt;b&gt; ' \" `",
    "**bold** http://evil.example/a.js",
)
"""Names that a capture may hold."""
NOTE = """# <script>alert(1)</script>

[click](javascript:alert(1)) and <http://evil.example/auto>, [words](https://evil.example/track "title")

![a picture](http://evil.example/pixel.png)

<img src="http://evil.example/x" onerror="alert(1)"> <iframe src=//evil.example></iframe>

| a | b |
|---|---|
| 1 | `</code><script>` |
"""
RARE = "\u9fa5\U00020bb7\U0001f600"
"""Characters that the fonts lack."""


def single_kernel() -> Report:
    """One call of one kernel on each side: no steps, no target, no memory."""
    report = sample_report("no_target")
    rows = {row.metric: row for row in report.metrics if row.rank == 0}
    gone = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("table_missing", table="memory_record.csv"))
    span = _alone(rows["step_time"], "device_span", "M1", 91_919, 11_729)
    shared = _alone(rows["free_share"], "free_share", "M2", 0, 0)
    count = _alone(rows["kernel_count_per_step"], "kernel_count", "M3", 1, 1)
    peak = rows["peak_reserved"]
    memory = replace(
        peak,
        id="M4",
        rank=None,
        before=replace(peak.before, value=gone),
        after=replace(peak.after, value=gone),
        delta=gone,
        change=gone,
        headline=True,
    )
    kernel = next(row for row in report.operators if row.change == "changed")
    assert kernel.before is not None
    assert kernel.after is not None
    kernel = replace(
        kernel,
        rank=None,
        type="FastGeluGrad",
        call_estimate=None,
        call_interval=None,
        distinguishable="cannot be known",
        reason=Reason.of("one_value_each"),
        delta_per_step=_number(kernel.delta_per_step, -80_190),
        before=replace(kernel.before, calls_per_step=_number(kernel.before.calls, 1)),
        after=replace(kernel.after, calls_per_step=_number(kernel.after.calls, 1)),
    )
    captures = tuple(
        replace(block, ranks=tuple(replace(rank, rank=None, steps=()) for rank in block.ranks[:1]))
        for block in report.captures
    )
    return replace(
        report,
        metrics=(span, shared, count, memory),
        operators=(kernel,),
        captures=captures,
        attributions=(),
        matches=(),
        elsewhere=ElsewhereBlock(),
    )


def _number(like: Number, value: int | Fraction) -> Number:
    return replace(like, quantity=Quantity(value=value, unit=like.quantity.unit))


def _alone(row: MetricRow, metric: str, identity: str, before: int, after: int) -> MetricRow:
    """A row of one value on each side."""

    def side(old: SideValue, value: int) -> SideValue:
        assert isinstance(old.value, Number)
        number = _number(old.value, value)
        return replace(old, value=number, mean=number, sample=(), labels=(), interval=None, basis="device span")

    assert isinstance(row.delta, Number)
    return replace(
        row,
        id=identity,
        metric=metric,
        rank=None,
        before=side(row.before, before),
        after=side(row.after, after),
        delta=_number(row.delta, after - before),
        change=Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
        if not before
        else Number(quantity=Quantity(value=Fraction(after, before) - 1, unit="1"), origins=row.delta.origins),
        estimate=None,
        interval=None,
        distinguishable="cannot be known",
        reason=Reason.of("one_value_each"),
        headline=True,
        worst=True,
    )


def both(text: str) -> tuple[tuple[str, str], ...]:
    """The same text in both languages."""
    return ("zh", text), ("en", text)


def hostile(extra: str = "") -> Report:
    """The example with hostile text wherever a file, a directory, a target or a note may hold it."""
    report = sample_report("met")
    assert report.contract is not None
    bad = (*HOSTILE, extra) if extra else HOSTILE
    at = iter(range(10**6))

    def pick() -> str:
        return bad[next(at) % len(bad)]

    contract = replace(
        report.contract,
        customer=pick(),
        contractor=pick(),
        witness=pick(),
        reference=pick(),
        title=pick(),
        report_number=pick(),
        changes=tuple((text, bad) for text in bad),
        may_differ=bad,
        declared=tuple(replace(row, key=pick(), value=pick(), signer=pick()) for row in report.contract.declared * 3),
        cases=tuple(
            replace(case, workload=tuple((fact, pick()) for fact, _ in case.workload)) for case in report.contract.cases
        ),
    )
    block = report.comparability
    rows = tuple(
        replace(
            block.rows[0],
            key=text,
            spelling=text,
            before=text,
            after=pick(),
            place=text,
            why=(("zh", text), ("en", text)),
        )
        for text in bad
    )
    return replace(
        report,
        contract=contract,
        note=NOTE + extra,
        captures=tuple(replace(capture, name=pick(), unread=tuple((text, capture.unread[0][1]) for text in bad))
                       for capture in report.captures),
        comparability=replace(
            block, rows=rows, equal=tuple(replace(row, spelling=pick(), before=pick()) for row in block.equal),
            identity=rows,
        ),
        operators=tuple(
            replace(row, id=f"K{n}-{row.id}", type=f"{text}{row.id}")
            for n, text in enumerate(bad)
            for row in report.operators
        ),
        metrics=tuple(replace(row, part=pick()) if row.part else row for row in report.metrics),
        manifest=tuple(replace(row, path=pick()) for row in report.manifest),
        origins=tuple(replace(row, origin=replace(row.origin, file=pick(), locator=pick())) for row in report.origins),
        goals=tuple(replace(goal, side_condition=pick(), clause=pick()) for goal in report.goals),
    )  # fmt: skip


def endless(variant: str = "not_met") -> Report:
    """The example with every text far too long, twelve goals and all of page one in use."""
    report = sample_report(variant)  # type: ignore[arg-type]
    assert report.contract is not None
    long = "AscendC_fused_operator_" * 12
    sentence = "很长的说明与 very long words 混排，" * 20
    contract = replace(
        report.contract,
        customer=sentence,
        contractor=sentence,
        witness=long,
        reference=sentence,
        title=sentence,
        report_number="RG-" + "2026" * 40,
        cases=tuple(
            replace(case, workload=tuple((fact, sentence) for fact, _ in case.workload))
            for case in report.contract.cases
        ),
    )
    block = report.comparability
    rows = tuple(
        replace(row, key=long, spelling=long, before=sentence, after=long, why=(("zh", sentence), ("en", long)),
                place=long, standing=Standing.BLOCKING if row.blocks_all else row.standing)
        for row in block.rows * 2
    )  # fmt: skip
    goals = tuple(replace(goal, id=f"{goal.id}{n}", side_condition=sentence, outcome=Outcome.NOT_MET)
                  for n in range(4) for goal in report.goals)  # fmt: skip
    return replace(
        report,
        contract=contract,
        comparability=replace(block, rows=rows, equal=rows),
        goals=goals,
        conformity=report.conformity and replace(report.conformity, goals=tuple(goal.id for goal in goals)),
        captures=tuple(
            replace(c, name=long, unread=tuple((long, why) for _, why in c.unread)) for c in report.captures
        ),
        operators=tuple(replace(row, type=long + row.id) for row in report.operators),
        manifest=tuple(replace(row, path=f"{long}/{n}/{row.path}") for n in range(1) for row in report.manifest[:9]),
        gaps=tuple(replace(gap, title=(("zh", sentence), ("en", long))) for gap in report.gaps),
        origins=tuple(
            replace(row, origin=replace(row.origin, file=f"{long}/x.csv", locator=long)) for row in report.origins
        ),
    )


def many_ranks(ranks: int = 8) -> Report:
    """The example on eight ranks; the last is the worst."""
    report = sample_report("met")
    first = [row for row in report.metrics if row.rank == 0]
    rows = []
    for row in first:
        for rank in range(ranks):
            worst = rank == ranks - 1
            rows.append(
                replace(
                    row,
                    id=f"M{len(rows) + 1}",
                    name=row.name.replace("@rank0", f"@rank{rank}"),
                    rank=rank,
                    device=rank,
                    worst=worst,
                    headline=row.headline and worst,
                )
            )
    ids = {(row.metric, row.part): row.id for row in rows if row.worst}
    goals = tuple(replace(goal, rank=ranks - 1, metric_row=ids[goal.metric, goal.part]) for goal in report.goals)
    kinds = [row for row in report.operators if row.rank == 0]
    operators = tuple(
        replace(row, id=f"K{rank}-{row.id}", name=row.name.replace("@rank0", f"@rank{rank}"), rank=rank)
        for rank in range(ranks)
        for row in kinds
    )
    return replace(report, metrics=tuple(rows), goals=goals, operators=operators)


def one_side() -> Report:
    """AFTER has no step time and no memory; nothing can be compared."""
    report = sample_report("undecided")
    gone = Missing(
        kind=MissingKind.UNREADABLE, reason=Reason.of("table_unreadable", table="kernel_details.csv", why="cut")
    )
    rows = tuple(
        row
        if row.family is Family.COUNTS
        else replace(
            row,
            after=replace(row.after, value=gone, mean=gone, sample=(), labels=(), interval=None),
            delta=gone,
            change=gone,
            interval=None,
            estimate=None,
            distinguishable="cannot be known",
            reason=Reason.of("values_missing"),
        )
        for row in report.metrics
    )
    goals = tuple(
        replace(
            goal, value=gone, after=gone, delta=gone, change=gone, interval=None, margin=None, outcome=Outcome.UNDECIDED
        )
        for goal in report.goals
    )
    return replace(report, metrics=rows, goals=goals)
