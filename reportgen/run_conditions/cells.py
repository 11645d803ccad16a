"""Does a run belong to the case that names it? Cells of a matrix differ as agreed, so no run is of two of them.

Source: docs/target.md, "Many cases in one table".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reportgen.model import Case, LoggedRun, Reason
from reportgen.same_runs import same_run

CALLED = {"concurrency": "max_concurrency", "并发": "max_concurrency", "并发数": "max_concurrency"}
"""Names of an axis -> the key under which every reader states it; any other axis is held against a key of its name."""


def of_another_cell(
    cases: Sequence[Case], case: Case, used: Sequence[LoggedRun], runs: Sequence[LoggedRun]
) -> Reason | None:
    """The first run that another cell of the same matrix names too; None for a case that is no cell.

    Args:
        cases: all of the target.
        case: whose goal is judged.
        used: its runs that the goal rests on.
        runs: of all cases.
    """
    cells = {one.id for one in cases if one.matrix and one.matrix == case.matrix}
    for run, other in _shared(case, used, runs):
        if other.case in cells:
            return Reason.of("log_of_two_cells", file=run.run.file.path, case=other.case)
    return None


def of_two_cases(case: Case, used: Sequence[LoggedRun], runs: Sequence[LoggedRun]) -> tuple[Reason, ...]:
    """Every run of a goal that other cases rest on too, once each, with all of these cases in the order of the runs."""
    sharing: dict[str, set[str]] = {}
    for run, other in _shared(case, used, runs):
        sharing.setdefault(run.run.file.path, {case.id}).add(other.case)
    order = list(dict.fromkeys(run.case for run in runs))
    return tuple(
        Reason.of("log_of_two_cases", file=file, cases=", ".join(sorted(cases, key=order.index)))
        for file, cases in sharing.items()
    )


def _shared(case: Case, used: Sequence[LoggedRun], runs: Sequence[LoggedRun]) -> Iterator[tuple[LoggedRun, LoggedRun]]:
    return ((run, other) for run in used for other in runs if other.case != case.id and same_run(run, other))


def of_another_load(case: Case, used: Sequence[LoggedRun]) -> Reason | None:
    """The first run that states another number than the axis of its cell; None where none does, or none is stated."""
    for name, agreed in case.axes:
        plain = name.strip().lower().replace("-", "_").replace(" ", "_")
        key = CALLED.get(plain, plain)
        wanted = _number(agreed)
        for run in used:
            for one in run.run.context:
                stated = _number(one.written) if one.key == key else None
                if wanted is not None and stated is not None and stated != wanted:
                    return Reason.of(
                        "log_of_another_load",
                        file=run.run.file.path,
                        key=key,
                        stated=one.written,
                        axis=name,
                        agreed=agreed,
                    )
    return None


def _number(written: str) -> Fraction | None:
    """The plain number that a text is; None for any other text."""
    text = written.strip()
    return Fraction(text) if text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit() else None
