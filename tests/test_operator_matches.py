"""Renamed and fused operator types: what matches, what is left alone, and what the evidence says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from reportgen.model import (
    Dimensions,
    OperatorChange,
    OperatorMeasurement,
    OperatorTotals,
    OperatorWork,
    Quantity,
    Sample,
    Side,
)
from reportgen.operator_matches import OperatorMatch, match_operators

X, ROW = "8,4096,4096", "8,4096,1"
Work = tuple[tuple[str, str, int], ...]


def operator(
    name: str, side: Side, work: Work, ns: int = 1000, *, steps: int = 10, core: str = "AI_VECTOR_CORE"
) -> OperatorMeasurement:
    """A type with (shapes, dtypes, calls) over all its steps, ``ns`` a call."""
    calls = sum(count for _shapes, _dtypes, count in work)
    return OperatorMeasurement(
        type=name,
        identified_by="type",
        accelerator=core,
        side=side,
        dimensions=Dimensions(rank=0),
        steps=steps,
        totals=OperatorTotals(
            calls=Quantity(value=calls, unit="1"),
            total=Quantity(value=calls * ns, unit="ns"),
            mean=Quantity(value=ns, unit="ns"),
            median=Quantity(value=ns, unit="ns"),
            sample=Sample(unit="ns", values=(ns,) * calls, labels=()),
            origins=(),
        ),
        work=tuple(OperatorWork(shapes=s, dtypes=d, calls=c) for s, d, c in work),
    )


def changes(*operators: OperatorMeasurement) -> list[OperatorChange]:
    """Each type on its own side only."""
    return [
        OperatorChange(
            type=one.type,
            identified_by="type",
            accelerator=one.accelerator,
            dimensions=Dimensions(rank=0),
            change="removed" if one.side is Side.BEFORE else "added",
            before=one if one.side is Side.BEFORE else None,
            after=one if one.side is Side.AFTER else None,
            delta_per_step=Quantity(value=0, unit="ns"),
            call=None,
        )
        for one in operators
    ]


def gone(name: str, *work: tuple[str, str, int], ns: int = 1000, **more: object) -> OperatorMeasurement:
    return operator(name, Side.BEFORE, work, ns, **more)  # type: ignore[arg-type]


def new(name: str, *work: tuple[str, str, int], ns: int = 1000, **more: object) -> OperatorMeasurement:
    return operator(name, Side.AFTER, work, ns, **more)  # type: ignore[arg-type]


def names(match: OperatorMatch) -> tuple[str, list[str], list[str]]:
    return match.kind, [one.type for one in match.before], [one.type for one in match.after]


def test_the_same_calls_under_another_name() -> None:
    # 20 calls over 10 steps and 10 over 5 are both 2 a step; 2 x 1000 ns against 2 x 700 ns
    (found,) = match_operators(
        changes(gone("Gelu", (X, "FLOAT", 20)), new("GeluV2", (X, "FLOAT", 10), ns=700, steps=5))
    )
    assert names(found) == ("renamed", ["Gelu"], ["GeluV2"])
    assert (found.before_per_step.value, found.after_per_step.value, found.delta_per_step.value) == (2000, 1400, -600)
    assert (found.evidence.code, found.evidence.arg("calls"), found.evidence.arg("shapes")) == (
        "match_renamed",
        "2",
        f"[{X}]",
    )


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("another dtype", new("B", (X, "DT_BF16", 10))),
        ("other calls a step", new("B", (X, "FLOAT", 20))),
        ("another kind of core", new("B", (X, "FLOAT", 10), core="AI_CORE")),
        ("another shape", new("B", (ROW, "FLOAT", 10))),
        ("one call of another shape more", new("B", (X, "FLOAT", 10), (ROW, "FLOAT", 10))),
        ("shapes not recorded", new("B", ("N/A", "N/A", 10))),
    ],
)
def test_what_is_not_the_same_is_not_renamed(title: str, other: OperatorMeasurement) -> None:
    assert match_operators(changes(gone("A", (X, "FLOAT", 10)), other)) == (), title


def test_two_that_fit_match_neither() -> None:
    assert (
        match_operators(changes(gone("A", (X, "FLOAT", 10)), new("B", (X, "FLOAT", 10)), new("C", (X, "FLOAT", 10))))
        == ()
    )


def test_types_on_both_sides_are_not_looked_at() -> None:
    row = changes(gone("A", (X, "FLOAT", 10)))[0]
    both = OperatorChange(
        type="A",
        identified_by="type",
        accelerator="AI_VECTOR_CORE",
        dimensions=Dimensions(rank=0),
        change="changed",
        before=row.before,
        after=new("A", (X, "FLOAT", 10)),
        delta_per_step=Quantity(value=0, unit="ns"),
        call=None,
    )
    assert match_operators([both, *changes(new("B", (X, "FLOAT", 10)))]) == ()


def test_a_fused_optimizer() -> None:
    # all once a step; Addcmul's three inputs are among the four of the fused one, Lerp shares one
    size = "218112000"
    parts = (
        gone("Lerp", (f"{size};{size}", "FLOAT;FLOAT", 10), ns=500),
        gone("Addcmul", (";".join([size] * 3), "FLOAT;FLOAT;FLOAT", 10), ns=700),
    )
    (found,) = match_operators(changes(*parts, new("Adam", (";".join([size] * 4), "FLOAT", 10), ns=900)))
    assert names(found) == ("fused", ["Lerp", "Addcmul"], ["Adam"])
    assert (found.before_per_step.value, found.after_per_step.value) == (1200, 900)
    assert found.evidence.code == "match_fused"
    assert (found.evidence.arg("first"), found.evidence.arg("whole")) == ("Lerp", "Adam")


def test_types_that_cannot_be_told_apart_stand_in_one_group() -> None:
    # Square and Sum fit the norm as well as its gradient
    parts = (
        gone("Square", (X, "FLOAT", 20)),
        gone("Sum", (f"{X};2", "FLOAT;INT64", 20)),
        gone("Rsqrt", (ROW, "FLOAT", 20)),
    )
    fused = (new("Norm", (f"{X};4096", "FLOAT", 20)), new("NormGrad", (f"{X};{X};{ROW}", "FLOAT", 20)))
    (found,) = match_operators(changes(*parts, *fused))
    assert found.evidence.code == "match_fused_together"
    assert {one.type for one in found.after} == {"Norm", "NormGrad"}
    assert {one.type for one in found.before} == {"Square", "Sum", "Rsqrt"}


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("one part alone is no fusion", (gone("A", (X, "FLOAT", 10)),)),
        ("other calls a step", (gone("A", (X, "FLOAT", 10)), gone("B", (X, "FLOAT", 20)))),
        ("no part has all its inputs in it", (gone("A", (f"{X};7,7", "F", 10)), gone("B", (f"{X};9,9", "F", 10)))),
        ("scalars alone show nothing", (gone("A", ("1", "FLOAT", 10)), gone("B", ("1", "FLOAT", 10)))),
    ],
)  # fmt: skip
def test_what_is_not_called_fused(title: str, parts: tuple[OperatorMeasurement, ...]) -> None:
    fused = new("F", (f"{X};{X};1", "FLOAT;FLOAT;FLOAT", 10))
    assert match_operators(changes(*parts, fused)) == (), title


def test_a_part_that_shares_no_input_stays_removed() -> None:
    parts = (gone("A", (X, "FLOAT", 10)), gone("B", (X, "DT_BF16", 10)), gone("C", ("7,7", "FLOAT", 10)))
    (found,) = match_operators(changes(*parts, new("F", (f"{X};4096", "FLOAT", 10))))
    assert [one.type for one in found.before] == ["A", "B"]


def test_shapes_have_to_go_together_call_by_call() -> None:
    # 4 calls on X and 6 on ROW against 6 on X and 4 on ROW: ten each, and no call of one is a call of the other
    parts = (gone("A", (X, "FLOAT", 4), (ROW, "FLOAT", 6)), gone("B", (X, "F", 4), (ROW, "F", 6)))
    fused = new("F", (f"{X};2,2", "FLOAT", 6), (f"{ROW};2,2", "FLOAT", 4))
    assert match_operators(changes(*parts, fused)) == ()


def test_ranks_are_matched_apart() -> None:
    rows = changes(gone("A", (X, "FLOAT", 10)), new("B", (X, "FLOAT", 10)))
    apart = [replace(row, dimensions=Dimensions(rank=number)) for number, row in enumerate(rows)]
    assert match_operators(apart) == ()


def test_sums_are_exact() -> None:
    (found,) = match_operators(
        changes(gone("A", (X, "FLOAT", 3), ns=7, steps=3), new("B", (X, "FLOAT", 7), ns=5, steps=7))
    )
    assert found.delta_per_step.value == Fraction(7 * 3, 3) * -1 + Fraction(5 * 7, 7)
