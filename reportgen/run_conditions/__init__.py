"""Were the runs outside the profile made alike? Proved fact by fact, as between captures.

What the files of both sides state, how much work their figures show, how they began, what the servers' logs witness,
and which further results lie beside them. A difference that nobody agreed to leaves goals that hold AFTER against
BEFORE undecided; what cannot be shown is a reservation. Source: docs/tricks.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.comparability.settings import Permissions
from reportgen.model import Case, LoggedRun, Reason, Side
from reportgen.outside import is_witness
from reportgen.run_conditions import figures, lengths, load, servers, siblings, stated, warmth, witnessed
from reportgen.run_conditions.cells import of_another_cell, of_another_load, of_two_cases
from reportgen.run_conditions.facts import RunFact, case_apart, of_goal, shown_unlike
from reportgen.run_conditions.figures import too_many_failed
from reportgen.run_logs.beside import Beside

__all__ = [
    "RunFact", "case_apart", "compare_runs", "of_goal", "of_two_cases", "shown_unlike", "unfit",
]  # fmt: skip


def unfit(
    cases: Sequence[Case], case: Case, used: Sequence[LoggedRun], runs: Sequence[LoggedRun], metric: str
) -> Reason | None:
    """Why runs tell nothing of their case: of another cell, of another load than theirs, too many requests failed.

    Args:
        cases: all of the target.
        case: theirs.
        used: those that a figure rests on.
        runs: of all cases.
        metric: of the figure; one of requests that failed tells itself that too many did.
    """
    misplaced = of_another_cell(cases, case, used, runs) or of_another_load(case, used)
    return misplaced or (too_many_failed(case, used) if metric != "failed" else None)


def compare_runs(
    cases: Sequence[Case], runs: Sequence[LoggedRun], besides: Sequence[Beside], granted: Permissions
) -> tuple[RunFact, ...]:
    """Every compared fact of the runs of every case.

    Args:
        cases: of the target.
        runs: of all cases.
        besides: results beside the named ones that the target does not name, see ``run_logs.beside.look``.
        granted: what may differ and what is declared.
    """
    found: list[RunFact] = []
    for case in cases:
        found += _case(case, [run for run in runs if run.case == case.id], granted)
        found += siblings.facts(case.id, [one for one in besides if one.case == case.id], granted)
    return tuple(found)


def _case(case: Case, runs: Sequence[LoggedRun], granted: Permissions) -> Iterator[RunFact]:
    results = [run for run in runs if not is_witness(run)]
    for definitions in dict.fromkeys(run.run.definitions for run in results):
        before, after = (
            [run for run in results if run.side is side and run.run.definitions == definitions] for side in Side
        )
        if before and after:
            yield from stated.compare(case.id, before, after, granted)
            yield from figures.compare(case, before, after, granted)
            yield from lengths.compare(case.id, before, after, granted)
            yield from load.compare(case.id, before, after, granted)
            yield from warmth.compare(case, before, after, granted)
            yield from witnessed.compare(case.id, before, after, granted)
    served = [run for run in results if run.run.definitions in figures.SERVING]
    if served:
        logs = tuple([run for run in runs if run.side is side and is_witness(run)] for side in Side)
        sides = tuple([run for run in served if run.side is side] for side in Side)
        yield from servers.compare(case.id, (logs[0], logs[1]), (sides[0], sides[1]), granted)
