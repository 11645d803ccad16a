"""What the gates G1 to G10 say, each of what it looks at; docs/gates.md names the cases.

Each case gives only the gate it is of, so a sentence that another gate gives does not count.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judged.beside_speed import ALIKE, CASE, TARGET, stating
from judged.case import Give, Judged
from judged.goals import MS, STEADY, captured, difference, goal, measured, one, row, run
from judged.official_rules import facts
from reportgen.catalogue import read_catalogue
from reportgen.gates import DROP, Looked, find_gates
from reportgen.inflation import find_inflation
from reportgen.model import (
    Accuracy,
    AccuracyInput,
    AccuracySide,
    Applicability,
    Comparison,
    Difference,
    Family,
    Gate,
    LoggedRun,
    Outcome,
    Reason,
    Side,
    Standing,
    ThresholdJudgement,
    Workload,
)
from reportgen.resources import evidence_dir

LEVEL = "profiler_info.profiler_level"
QUEUE = "profiler_metadata.ascend_x"
NOTHING = Looked(
    target=TARGET, facts=captured(1, None), comparability=ALIKE, comparisons=(), workload_checks=(), runs=(), rules=(),
    accuracy=(), inflation=(),
)  # fmt: skip
"""A pair of which nothing is known but one case, whose checkpoint steps are said to be none."""


def gate(name: str, *differences: Difference, **looked: Any) -> Give:
    """One gate of what was looked at."""

    def give(_root: object) -> Gate:
        found = replace(NOTHING, comparability=replace(ALIKE, differences=differences), **looked)
        return next(one for one in find_gates(found) if one.id == name)

    return give


def standing(key: str, how: Standing, code: str = "setting_differs") -> Difference:
    """A fact that differs, or is unknown, and how it stands; families are blocked by a blocking one alone."""
    blocks = (Family.TIME,) if how is Standing.BLOCKING else ()
    return replace(difference(key, *blocks), standing=how, reason=Reason.of(code, key=key))


def equal(key: str) -> Difference:
    """A fact that is the same on both sides."""
    found = standing(key, Standing.SAME)
    return replace(found, after=found.before)


def steps(kept: int) -> Comparison:
    """So many steps of 90 ms on both sides."""
    return row(*(measured(side, (90 * MS,) * kept) for side in Side))


def clock(applies: Applicability, before: str, after: str) -> ThresholdJudgement:
    """The rule on the clock's drop, read; bands as the catalogue names them."""
    rule = next(rule for rule in read_catalogue(evidence_dir()).rules if rule.id == DROP)
    return ThresholdJudgement(
        threshold=rule, applicability=applies, reasons=(), before=one("0.01"), after=one("0.2"), band_before=before,
        band_after=after, rank_before=0, rank_after=0,
    )  # fmt: skip


def minimal() -> tuple[Any, ...]:
    """Captures of both sides at level none with every switch off."""
    switches = dict.fromkeys(("with_stack", "with_modules", "profile_memory", "record_shapes"), "false")
    held = {"profiler_info.json": {**switches, "_profiler_level": "Level_none"}}
    return tuple(facts(side, held, "torch_npu text", 1, ()) for side in Side)


def logged(before: tuple[str, str] | None, after: tuple[str, str] | None) -> tuple[LoggedRun, ...]:
    """A run of each side, with a statement or without."""
    return tuple(
        run(side, (MS,) * 3, name=side.value) if stated is None else stating(side, *stated)
        for side, stated in zip(Side, (before, after), strict=True)
    )


def of_both(metric: str, unit: str = "1") -> Comparison:
    """A metric that both sides have."""
    return row(*(measured(side, (7,), metric=metric, unit=unit) for side in Side))


SCORED = AccuracySide(written=one("1"), path="", file=None, locator="x", segment=None, origin=goal().origin)
NOT_MET = Accuracy(
    case="C1",
    agreed=AccuracyInput(
        name="MMLU", kind="score", before=SCORED, after=SCORED, direction="at_least",
        tolerances=(("absolute", one("0.5"), goal().origin),), series="", steps=None,
    ),
    outcome=Outcome.NOT_MET, reason=Reason.of("accuracy_score_beyond"), before=one("71"), after=one("60"),
    limit=one("70.5"), deviation=None,
)  # fmt: skip
ROWS = (steps(9), of_both("kernel_count_per_step"), of_both("peak_reserved", "B"))
UNPROFILED = tuple(run(side, (80 * MS,) * 3) for side in Side)
BY_LIST = {"why": "docs/gates.md, by how the fact stands"}

SETTINGS = (
    Judged(title="another level", give=gate("G1", standing(LEVEL, Standing.BLOCKING)), code="gate_differs",
           args={"keys": LEVEL}, **BY_LIST),
    Judged(title="a level that one side lacks", give=gate("G1", standing(LEVEL, Standing.UNKNOWN)),
           code="gate_unknown", args={"keys": LEVEL}, **BY_LIST),
    Judged(title="a buffer of another size", give=gate("G1", standing("sample.buffer", Standing.BIAS)),
           code="gate_biased", args={"keys": "sample.buffer"}, **BY_LIST),
    Judged(title="a level that was agreed", give=gate("G1", standing(LEVEL, Standing.ALLOWED)), code="gate_agreed",
           args={"keys": LEVEL}, **BY_LIST),
    Judged(title="a variable that is equal", give=gate("G10", equal(QUEUE)), code="gate_all_equal", **BY_LIST),
    Judged(title="no variable recorded", give=gate("G10", equal(LEVEL)), code="gate_nothing_seen",
           why="the level is of G1"),
)  # fmt: skip
CHANGES = (
    Judged(title="another level on no list", give=gate("G2", standing(LEVEL, Standing.BLOCKING)),
           code="gate_not_listed", args={"keys": LEVEL}, **BY_LIST),
    Judged(title="a level let through by --allow",
           give=gate("G2", standing(LEVEL, Standing.ALLOWED, "allowed_by_option")), code="gate_let_through",
           args={"keys": LEVEL}, **BY_LIST),
    Judged(title="a buffer on no list", give=gate("G2", standing("sample.buffer", Standing.BIAS)),
           code="gate_unlisted", args={"keys": "sample.buffer"}, **BY_LIST),
    Judged(title="a level on the list", give=gate("G2", standing(LEVEL, Standing.ALLOWED, "allowed_by_target")),
           code="gate_listed", args={"keys": LEVEL}, **BY_LIST),
    Judged(title="all equal", give=gate("G2", equal(LEVEL)), code="gate_no_difference", **BY_LIST),
)  # fmt: skip
WORK = (
    Judged(
        title="logs of another batch",
        give=gate("G3", runs=logged(("global_batch_size", "128"), ("global_batch_size", "256"))),
        code="batch_differs",
        args={"key": "global_batch_size", "before": "128", "after": "256", "case": "C1"},
        why="as stated",
    ),
    Judged(
        title="the log of AFTER alone states the batch",
        give=gate("G3", runs=logged(None, ("global_batch_size", "256"))),
        code="batch_one_side",
        args={"key": "global_batch_size", "side": "after", "case": "C1"},
        why="the log of BEFORE states nothing",
    ),
)
STEPS = (
    Judged(title="no step times", give=gate("G4"), code="gate_no_steps", why="no row of step_time"),
    Judged(title="one step a side", give=gate("G4", comparisons=(steps(1),)), code="gate_one_step", why="1 < 2"),
    Judged(
        title="a case that does not name its checkpoint steps",
        give=gate(
            "G4",
            comparisons=(steps(9),),
            target=replace(TARGET, cases=(replace(CASE, workload=Workload()),)),
        ),
        code="gate_checkpoints_not_stated",
        why="nine steps on both sides, and no checkpoint_steps",
    ),
    Judged(title="nine steps a side", give=gate("G4", comparisons=(STEADY,)), code="gate_steady",
           why="nine kept steps on both sides, checkpoint steps said to be none"),
)  # fmt: skip
PROFILING = (
    Judged(
        title="BEFORE profiled and AFTER not",
        give=gate(
            "G5",
            runs=(run(Side.BEFORE, (MS,) * 3, profiled=True), run(Side.AFTER, (MS,) * 3)),
            target=replace(TARGET, cases=(replace(CASE, goals=(goal(subject="ratio", limit=one("1")),)),)),
        ),
        code="gate_profiled_mixed",
        args={"case": "C1"},
        why="the goal compares both runs",
    ),
    Judged(
        title="BEFORE not said to be profiled and AFTER not profiled",
        give=gate(
            "G5",
            runs=(run(Side.BEFORE, (MS,) * 3, profiled=None), run(Side.AFTER, (MS,) * 3)),
            target=replace(TARGET, cases=(replace(CASE, goals=(goal(subject="ratio", limit=one("1")),)),)),
        ),
        code="gate_profiled_of_some",
        args={"case": "C1"},
        why="the goal compares both runs, and nothing is stated of one",
    ),
    Judged(
        title="unprofiled steps of both sides",
        give=gate("G5", inflation=find_inflation(CASE, (STEADY,), UNPROFILED, ())),
        code="gate_inflation_known",
        why="200 - 80 ms and 90 - 80 ms",
    ),
    Judged(
        title="unprofiled steps of AFTER that are longer than its profiled ones",
        give=gate(
            "G5",
            inflation=find_inflation(
                CASE, (STEADY,), (run(Side.BEFORE, (80 * MS,) * 3), run(Side.AFTER, (95 * MS,) * 3)), ()
            ),
        ),
        code="gate_inflation_negative",
        args={"side": "after"},
        why="200 - 80 ms, but 90 - 95 ms",
    ),
    Judged(title="level none and no switch", give=gate("G5", facts=minimal()), code="gate_minimal",
           why="the lowest level, every switch off"),
    Judged(title="neither", give=gate("G5"), code="gate_inflation_unknown", why="no log, no switch recorded"),
)  # fmt: skip
CLOCK = (
    Judged(title="a rule that cannot be read", give=gate("G6", rules=()), code="gate_clock_unknown", why="no rule"),
    Judged(title="a drop in AFTER", give=gate("G6", rules=(clock(Applicability.APPLIES, "not_reported", "reported"),)),
           code="gate_clock_fell", args={"side": "after"}, why="the band of AFTER"),
    Judged(title="no drop",
           give=gate("G6", rules=(clock(Applicability.APPLIES, "not_reported", "not_reported"),)),
           code="gate_clock_held", why="neither band"),
)  # fmt: skip
REQUIRED = (
    Judged(title="no fact on completeness", give=gate("G7"), code="gate_complete", why="no check fails"),
    Judged(title="no peak of memory", give=gate("G8", comparisons=ROWS[:2]), code="gate_row_missing",
           args={"metric": "peak_reserved"}, why="the third of the required rows"),
    Judged(title="no criterion of accuracy", give=gate("G8", comparisons=ROWS), code="gate_accuracy_missing",
           why="none agreed"),
    Judged(title="accuracy that is not met", give=gate("G8", comparisons=ROWS, accuracy=(NOT_MET,)),
           code="gate_accuracy_open", why="60 is below 71 - 0.5"),
    Judged(title="all rows and accuracy met",
           give=gate("G8", comparisons=ROWS, accuracy=(replace(NOT_MET, outcome=Outcome.MET, after=one("71")),)),
           code="gate_rows_there", why="71 is above 70.5"),
)  # fmt: skip
REPEATS = (
    Judged(title="two captures a side", give=gate("G9", facts=captured(2, None)), code="gate_repeats", why="2 > 1"),
    Judged(title="one capture a side", give=gate("G9"), code="gate_no_repeats", why="1 of each"),
    Judged(
        title="one capture a side, and several runs of one of two other cases",
        give=gate(
            "G9",
            target=replace(TARGET, cases=(CASE, *(replace(CASE, id=name, profiled=False) for name in "AB"))),
            runs=tuple(
                replace(run(side, (MS * n,) * 3), case=case)
                for side in Side
                for case, n in (("A", 1), ("B", 2), ("B", 3))
            ),
        ),
        code="gate_no_repeats_in",
        args={"cases": f"{CASE.id}, A"},
        why="2 runs of B, 1 of A, 1 capture",
    ),
)
CASES: tuple[Judged, ...] = (*SETTINGS, *CHANGES, *WORK, *STEPS, *PROFILING, *CLOCK, *REQUIRED, *REPEATS)
