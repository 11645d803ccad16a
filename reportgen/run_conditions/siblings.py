"""Results of the same tool beside the named ones: a run may be the best of many. Source: docs/tricks.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.comparability.settings import Permissions
from reportgen.model import Held, Origin, Reason, Side
from reportgen.run_conditions.facts import RunFact, stand
from reportgen.run_logs.beside import Beside

MOST_NAMED = 4
"""Results that a fact names, earliest first; further ones are counted."""


def facts(case: str, besides: Sequence[Beside], granted: Permissions) -> Iterator[RunFact]:
    """That results lie beside the named ones which the target does not name: a reservation with their names.

    A result beside logs of both sides stands on both: whose it is is not known.

    Args:
        besides: of this case.
    """
    if not besides:
        return
    sides = tuple(_held([one for one in besides if side in one.sides], side) for side in Side)
    yield stand(
        case, "results_beside", (sides[0], sides[1]), granted, definitions="",
        reason=Reason.of("run_results_beside", n=len(besides)), stops=False, vouchable=True,
    )  # fmt: skip


def _held(found: Sequence[Beside], side: Side) -> Held:
    names = [" ".join(filter(None, (one.when, one.file.path))) for one in found[:MOST_NAMED]]
    more = [f"... ({len(found)})"] if len(found) > MOST_NAMED else []
    origins = tuple(
        Origin(
            file=f"log:{side.value}/{one.file.path}",
            digest=one.file.digest,
            locator="whole file",
            formula="not used",
        )
        for one in found
    )
    return Held(value="; ".join([*names, *more]), origins=origins)
