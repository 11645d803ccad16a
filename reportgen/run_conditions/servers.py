"""What logs of the servers witness of runs that a load generator measured: cache hits, load, options, weights.

Source: docs/tricks.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import pairwise

from reportgen.comparability.settings import Permissions
from reportgen.model import Held, LoggedRun, LoggedSeries, Reason
from reportgen.run_conditions import stated
from reportgen.run_conditions.facts import RunFact, held, stand


def compare(
    case: str,
    logs: tuple[Sequence[LoggedRun], Sequence[LoggedRun]],
    runs: tuple[Sequence[LoggedRun], Sequence[LoggedRun]],
    granted: Permissions,
) -> Iterator[RunFact]:
    """What the logs of both sides' servers show.

    Args:
        logs: of BEFORE and AFTER; a side may have none.
        runs: the results of load generators, at least one of a side.
    """
    if any(results and not side for results, side in zip(runs, logs, strict=True)):
        texts = tuple(_names(side) for side in logs)
        why = Reason.of("run_server_not_witnessed")
        yield stand(
            case, "server_log", (texts[0], texts[1]), granted, definitions="", reason=why, stops=any(logs),
            declarable=True,
        )  # fmt: skip
    yield from _cache(case, logs, granted)
    yield from _weights(case, logs, runs, granted)
    for side, name in enumerate(("before", "after")):
        yield from _more_load(case, name, logs[side], runs[side], granted)
    yield from _windows(case, logs, granted)
    if all(logs):
        yield from stated.compare(case, logs[0], logs[1], granted, witness=True)
        yield from _one_start(case, logs, granted)


def _names(side: Sequence[LoggedRun]) -> Held:
    return held(side, ", ".join(run.run.file.path for run in side) or None, ["whole file" for _ in side])


def _series(run: LoggedRun, metric: str) -> LoggedSeries | None:
    return next((s for s in run.run.series if s.metric == metric), None)


def _cache(case: str, logs: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions) -> Iterator[RunFact]:
    """Windows in which prompts, or parts of them, were found in the prefix cache and not computed."""
    values, hits = [], []
    for side in logs:
        series = [one for run in side if (one := _series(run, "prefix_cache_hit_rate")) is not None]
        rates = [Fraction(value) for one in series for value in one.sample.values]
        hits.append(max(rates, default=Fraction(0)))
        text = f"{sum(rate > 0 for rate in rates)} / {len(rates)}; {percent(hits[-1])}" if rates else None
        values.append(held(side, text, [one.locator for one in series]))
    if any(hits):
        yield stand(
            case, "prefix_cache_hits", (values[0], values[1]), granted, definitions="",
            reason=Reason.of("run_prefix_cache_hits"), stops=False,
        )  # fmt: skip


def percent(share: Fraction) -> str:
    """A share in percent, all its digits where they end."""
    value = share * 100
    return f"{value.numerator}%" if value.denominator == 1 else f"{float(value):.4g}%"


def _weights(
    case: str,
    logs: tuple[Sequence[LoggedRun], Sequence[LoggedRun]],
    runs: tuple[Sequence[LoggedRun], Sequence[LoggedRun]],
    granted: Permissions,
) -> Iterator[RunFact]:
    """Random weights, by the server's log or by what a result states: no accuracy, and no agreed model."""
    values, found = [], []
    for log, side in zip(logs, runs, strict=True):
        told = [(run, one) for run in (*log, *side) for one in run.run.context if _dummy(one.key, one.written)]
        found.append(bool(told))
        text = told[0][1].written if told else ""
        values.append(held([run for run, _ in told], text, [one.locator for _, one in told]))
    if any(found):
        yield stand(
            case, "dummy_weights", (values[0], values[1]), granted, definitions="",
            reason=Reason.of("run_dummy_weights"), stops=found[0] != found[1],
        )  # fmt: skip


def _dummy(key: str, written: str) -> bool:
    name = key.removeprefix("argument.").replace("-", "_")
    return name == "load_format" and written.lower().rpartition(".")[2] == "dummy"


def _more_load(
    case: str, side: str, logs: Sequence[LoggedRun], runs: Sequence[LoggedRun], granted: Permissions
) -> Iterator[RunFact]:
    """More requests under way in the server than the load generator says it allowed: it was not alone, or not this."""
    peaks = [v for log in logs for v in log.run.values if v.metric == "running_requests"]
    limits = [one for run in runs for one in run.run.context if one.key == "max_concurrency" and one.written.isdigit()]
    if not peaks or not limits:
        return
    peak, limit = max(peaks, key=lambda one: one.value.value), max(limits, key=lambda one: int(one.written))
    if peak.value.value <= int(limit.written):
        return
    text = f"{peak.value.value} / {limit.written}"
    shown, none = held([*logs, *runs], text, [peak.locator, limit.locator]), held((), "", ())
    pair = (shown, none) if side == "before" else (none, shown)
    yield stand(
        case, f"server_ran_more.{side}", pair, granted, definitions="",
        reason=Reason.of("run_server_ran_more", running=peak.value.value, allowed=limit.written),
    )  # fmt: skip


def _windows(
    case: str, logs: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """Windows that a log lacks while requests were running: a server that is busy prints one after the other."""
    values, lost = [], []
    for side in logs:
        series = [(run, one) for run in side if (one := _series(run, "running_requests")) is not None]
        lost.append(sum(windows_lost(one) for _, one in series))
        text = f"{lost[-1]} / {sum(len(one.sample.values) for _, one in series) + lost[-1]}" if series else ""
        values.append(held([run for run, _ in series], text, [one.locator for _, one in series]))
    if any(lost):
        yield stand(
            case, "server_windows", (values[0], values[1]), granted, definitions="",
            reason=Reason.of("run_server_windows_missing"), vouchable=True,
        )  # fmt: skip


def windows_lost(series: LoggedSeries) -> int:
    """Windows missing behind one in which requests were running; of each engine by itself.

    The usual distance of two windows is the commonest. 0 where the lines have no stamps.
    """
    engines: dict[str, list[tuple[datetime, int]]] = {}
    for label, running in zip(series.sample.labels, series.sample.values, strict=False):
        moment, engine = label[:STAMP], label[STAMP:]
        try:
            stamp = datetime.strptime(f"2000-{moment} +0000", "%Y-%m-%d %H:%M:%S %z")
        except ValueError:
            continue
        engines.setdefault(engine, []).append((stamp, int(running)))
    lost = 0
    for windows in engines.values():
        gaps = [int((later[0] - one[0]).total_seconds()) for one, later in pairwise(windows)]
        counted = Counter(gap for gap in gaps if gap > 0)
        usual = min(counted, key=lambda gap: (-counted[gap], gap), default=0)
        for gap, (_, running) in zip(gaps, windows, strict=False):
            if usual and running and 4 * gap > 7 * usual:
                lost += round(gap / usual) - 1
    return lost


STAMP = len("01-01 00:00:00")
"""Characters of a window's stamp at the head of its label; the log states no year."""


def _one_start(
    case: str, logs: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """One start of the server for both sides: what BEFORE asked may still be in its cache when AFTER asks it."""
    common = {run.run.file.digest for run in logs[0]} & {run.run.file.digest for run in logs[1]}
    if not common:
        return
    shared = [[run for run in side if run.run.file.digest in common] for side in logs]
    values = [_names(side) for side in shared]
    yield stand(
        case, "one_server_start", (values[0], values[1]), granted, definitions="",
        reason=Reason.of("run_one_server_start"), stops=False,
    )  # fmt: skip
