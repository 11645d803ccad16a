"""A change of step time taken apart: what adds up, on which basis, and when nothing is taken apart."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from reportgen.attribution import Attribution, attribute
from reportgen.model import (
    Comparison,
    Dimensions,
    Measurement,
    Missing,
    MissingKind,
    Origin,
    Quantity,
    Reason,
    Sample,
    Side,
)
from reportgen.samples import mean, median

Steps = tuple[int, ...]
COMPUTING: tuple[Steps, Steps] = ((70, 71, 70), (72, 75, 71))
COMMUNICATION: tuple[Steps, Steps] = ((20, 25, 21), (6, 9, 4))
FREE: tuple[Steps, Steps] = ((10, 3, 9), (2, 2, 6))
GONE = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("no_communication_rows"))


def measured(metric: str, side: Side, values: Steps, basis: str = "step window") -> Measurement:
    return Measurement(
        metric=metric,
        side=side,
        dimensions=Dimensions(rank=0),
        summary=Quantity(value=median(values), unit="ns"),
        sample=Sample(unit="ns", values=values, labels=tuple(map(str, range(len(values))))),
        basis=basis,
        origins=(Origin(file=f"{side}/k.csv", digest="", locator="rows", formula="median over windows of |C|"),),
    )


def compared(metric: str, before: Measurement, after: Measurement, blocked: tuple[Reason, ...] = ()) -> Comparison:
    both = [side.summary for side in (before, after)]
    delta: Quantity | Missing = GONE
    if all(isinstance(one, Quantity) for one in both):
        delta = Quantity(value=Fraction(both[1].value) - Fraction(both[0].value), unit="ns")  # type: ignore[union-attr]
    return Comparison(
        metric=metric,
        dimensions=after.dimensions,
        before=before,
        after=after,
        delta=delta,
        change=GONE,
        estimate=None,
        interval=None,
        distinguishable="no",
        reason=Reason.of("few_values"),
        blocked=blocked,
    )


def rows(
    parts: dict[str, tuple[Steps, Steps]] | None = None, *, basis: str = "step window", blocked: tuple[Reason, ...] = ()
) -> dict[str, Comparison]:
    """The step and its parts; the step is their sum in every window."""
    parts = parts or {"computing": COMPUTING, "communication_not_overlapped": COMMUNICATION, "free": FREE}
    wholes = tuple(
        tuple(sum(values) for values in zip(*(part[side] for part in parts.values()), strict=True)) for side in (0, 1)
    )
    named = {"step_time": wholes, **parts}
    return {
        metric: compared(
            metric,
            measured(metric, Side.BEFORE, values[0], basis),
            measured(metric, Side.AFTER, values[1], basis),
            blocked,
        )
        for metric, values in named.items()
    }


def only(found: dict[str, Comparison]) -> Attribution:
    (one,) = attribute(found.values())
    return one


def values(one: Attribution) -> list[Fraction]:
    return [Fraction(part.delta.value) for part in one.parts if isinstance(part.delta, Quantity)]


def test_the_parts_add_up_exactly_where_medians_do_not() -> None:
    # BEFORE: computing 70, 71, 70 (mean 211/3, median 70); communication 20, 25, 21 (66/3, 21); free 10, 3, 9 (22/3, 9)
    # the step 100, 99, 100: mean 299/3, median 100; 70 + 21 + 9 = 100. AFTER: 72, 75, 71 (218/3, 72); 6, 9, 4
    # (19/3, 6); 2, 2, 6 (10/3, 2); the step 80, 86, 81: 247/3, median 81; 72 + 6 + 2 = 80, not 81
    one = only(rows())
    assert values(one) == [Fraction(7, 3), Fraction(-47, 3), Fraction(-12, 3)]
    assert one.whole.delta == Quantity(value=Fraction(-52, 3), unit="ns")
    assert sum(values(one)) == Fraction(-52, 3)
    assert one.median == Quantity(value=-19, unit="ns")
    assert one.apart == Quantity(value=-19 + Fraction(52, 3), unit="ns")
    assert one.reason is None


def test_origins_say_that_it_is_a_mean() -> None:
    one = only(rows())
    assert {origin.formula for origin in one.parts[0].before.origins} == {"mean over windows of |C|"}


def test_several_captures_count_as_one_each() -> None:
    # computing of BEFORE: captures of (10, 20) and (30): their means 15 and 30, the mean of both 22.5, not 20
    found = rows(
        {"computing": ((10, 20), (5,)), "communication_not_overlapped": ((0, 0), (0,)), "free": ((1, 1), (1,))}
    )
    second = rows({"computing": ((30,), (7,)), "communication_not_overlapped": ((0,), (0,)), "free": ((1,), (1,))})

    def pooled(metric: str, side: str) -> Measurement:
        each = tuple(getattr(one[metric], side) for one in (found, second))
        middle = mean([Fraction(one.summary.value) for one in each])
        sample = Sample(unit="ns", values=tuple(one.summary.value for one in each), labels=("a", "b"))
        return replace(each[0], summary=Quantity(value=middle, unit="ns"), sample=sample, each=each)

    both = {name: compared(name, pooled(name, "before"), pooled(name, "after")) for name in found}
    one = only(both)
    assert one.parts[0].before.value == Quantity(value=Fraction(45, 2), unit="ns")
    assert sum(values(one)) == Fraction(one.whole.delta.value)  # type: ignore[union-attr]


def test_a_blocked_row_forms_no_difference() -> None:
    one = only(rows(blocked=(Reason.of("pair_not_comparable", keys="chip"),)))
    assert isinstance(one.whole.delta, Missing)
    assert isinstance(one.median, Missing)
    assert values(one) == []
    assert one.whole.before.value == Quantity(value=Fraction(299, 3), unit="ns")  # each side stands alone
    assert [reason.code for reason in one.blocked] == ["pair_not_comparable"]


def test_one_blocked_part_is_enough() -> None:
    found = rows()
    found["free"] = replace(found["free"], blocked=(Reason.of("family_blocked", family="communication", keys="x"),))
    assert values(only(found)) == []


def silent(found: dict[str, Comparison], *sides: str) -> dict[str, Comparison]:
    row = found["communication_not_overlapped"]
    gone = {side: replace(getattr(row, side), summary=GONE, sample=None) for side in sides}
    return {**found, row.metric: replace(row, **gone, delta=GONE)}


def test_without_communication_the_others_add_up() -> None:
    found = rows({"computing": COMPUTING, "communication_not_overlapped": ((0, 0, 0), (0, 0, 0)), "free": FREE})
    one = only(silent(found, "before", "after"))
    assert [isinstance(part.delta, Quantity) for part in one.parts] == [True, False, True]
    assert sum(values(one)) == Fraction(one.whole.delta.value)  # type: ignore[union-attr]


def test_communication_on_one_side_only_is_not_taken_as_nothing() -> None:
    found = rows({"computing": COMPUTING, "communication_not_overlapped": ((0, 0, 0), (6, 9, 4)), "free": FREE})
    one = only(silent(found, "before"))
    assert (one.parts, one.reason) == ((), Reason.of("part_on_one_side", metric="communication_not_overlapped"))


def test_parts_that_do_not_add_up_are_none() -> None:
    found = rows()
    found["computing"] = compared(
        "computing", measured("computing", Side.BEFORE, (70, 71, 69)), measured("computing", Side.AFTER, (72, 75, 71))
    )
    assert only(found).reason == Reason.of("parts_do_not_add_up")


def test_windows_and_spans_are_not_mixed() -> None:
    found = rows()
    spans = rows(basis="device span")
    found["free"] = spans["free"]
    reason = only(found).reason
    assert reason is not None
    assert reason.code == "parts_bounded_differently"


@pytest.mark.parametrize("name", ["computing", "free"])
def test_a_part_that_is_not_there(name: str) -> None:
    found = rows()
    del found[name]
    assert only(found).reason == Reason.of("parts_not_measured")


def test_without_steps_on_a_side_there_is_nothing() -> None:
    found = rows()
    whole = found["step_time"]
    assert whole.after is not None
    found["step_time"] = replace(whole, after=replace(whole.after, summary=GONE))
    assert attribute(found.values()) == ()


def test_waiting_and_transit_are_of_the_same_steps() -> None:
    # the table of collectives has the last step too (index 3), which has no window: mean of 6, 8, 10, without the 100
    found = rows()
    found["collective_wait"] = compared(
        "collective_wait",
        measured("collective_wait", Side.BEFORE, (6, 8, 10, 100)),
        measured("collective_wait", Side.AFTER, (1, 2, 3, 100)),
    )
    one = only(found)
    assert (one.beside[0].before.value, one.beside[0].after.value) == (
        Quantity(value=8, unit="ns"),
        Quantity(value=2, unit="ns"),
    )
    assert sum(values(one)) == Fraction(one.whole.delta.value)  # type: ignore[union-attr]


def test_waiting_of_fewer_steps_is_not_shown() -> None:
    found = rows()
    found["collective_wait"] = compared(
        "collective_wait",
        measured("collective_wait", Side.BEFORE, (6, 8)),
        measured("collective_wait", Side.AFTER, (1, 2, 3)),
    )
    gone = only(found).beside[0]
    assert isinstance(gone.before.value, Missing)
    assert isinstance(gone.delta, Missing)


def test_the_slowest_rank_of_after_comes_first() -> None:
    parts = {"computing": ((1,), (500,)), "communication_not_overlapped": ((1,), (1,)), "free": ((1,), (1,))}
    slow = [replace(row, dimensions=Dimensions(rank=1)) for row in rows(parts).values()]
    found = attribute([*rows().values(), *slow])
    assert [one.dimensions.rank for one in found] == [1, 0]
