"""Whether the lines of both sides are whole: the relations that check their figures, and how far apart they stand.

A log from which a clock, a rate or every second line was taken contradicts nothing; the other side shows what its
producer prints. Source: docs/tricks.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reportgen.comparability.settings import Permissions
from reportgen.model import LoggedRun, LoggedSeries, Reason
from reportgen.outside import numbered
from reportgen.run_conditions.facts import RunFact, held, stand

RELATIONS = ("I1", "I2", "I3", "I4", "I5", "I6")
"""Relations between the lines of a training run (docs/logs.md, identities)."""
WHOLE_TIME = ("clock_and_step_times", "tokens_over_time")
"""Those of them that a line which was taken out breaks."""
CLOCKED = ("llama_factory_clock", "tqdm_clock", "hf_trainer_whole_run", "mindspore_epoch_mean")
"""Definition sets whose values are differences of a clock, or of the whole run: they leave no step out."""


def compare(
    case: str, before: Sequence[LoggedRun], after: Sequence[LoggedRun], granted: Permissions
) -> Iterator[RunFact]:
    """What the lines of training runs are checked by, and the steps between two of them, where that is not alike."""
    times = [[_times(one) for one in runs] for runs in (before, after)]
    if any(one is None for side in times for one in side):
        return
    yield from _relations(case, (before, after), granted)
    if before[0].run.definitions not in CLOCKED:
        yield from _steps_apart(case, (before, after), granted)


def _times(run: LoggedRun) -> LoggedSeries | None:
    return next((one for one in run.run.series if one.metric == "step_time"), None)


def _relations(
    case: str, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """Ids of the relations that could be checked in every run of a side; a side without one of the other is silent."""
    before, after = (
        set.intersection(*({one.id for one in run.run.identities} & set(RELATIONS) for run in runs)) for runs in sides
    )
    if before == after:
        return
    texts = [", ".join(sorted(ids)) or "-" for ids in (before, after)]
    whole = (before >= after, after >= before)
    values = tuple(
        held(runs, text if all_of_it else None, ["whole file" for _ in runs])
        for runs, text, all_of_it in zip(sides, texts, whole, strict=True)
    )
    why = Reason.of("run_relations_differ", before=texts[0], after=texts[1])
    yield stand(case, "relations", (values[0], values[1]), granted, definitions=sides[0][0].run.definitions, reason=why)


def _steps_apart(
    case: str, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """The commonest distance of two lines in steps.

    Where no relation covers all of the time, the side whose lines are farther apart does not show what lies between.
    """
    apart = [[_apart(one) for one in runs] for runs in sides]
    known = {one for side in apart for one in side}
    if len(known) == 1 or None in known:
        return
    covered = all({one.what for one in run.run.identities} & set(WHOLE_TIME) for runs in sides for run in runs)
    texts = ["; ".join(dict.fromkeys(str(one) for one in side)) for side in apart]
    least = min(one for one in known if one is not None)
    silent = [not covered and any(one != least for one in side) for side in apart]
    places = [[times.locator for run in runs if (times := _times(run)) is not None] for runs in sides]
    values = tuple(
        held(runs, None if quiet else text, where)
        for runs, quiet, text, where in zip(sides, silent, texts, places, strict=True)
    )
    yield stand(
        case,
        "steps_apart",
        (values[0], values[1]),
        granted,
        definitions=sides[0][0].run.definitions,
        reason=Reason.of("run_steps_apart", before=texts[0], after=texts[1]),
        stops=not covered,
    )


def _apart(run: LoggedRun) -> int | None:
    """None where fewer than two lines are numbered."""
    times = _times(run)
    steps = numbered(times) if times is not None else []
    gaps = Counter(later - earlier for earlier, later in pairwise(steps))
    return min(gaps, key=lambda gap: (-gaps[gap], gap)) if gaps else None
