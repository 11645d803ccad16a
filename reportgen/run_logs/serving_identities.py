"""Relations that the figures of one serving result fulfil: I7, I8, I9, I13. Source: docs/logs.md, identities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from reportgen.model import Identity, LoggedSeries, LoggedValue
from reportgen.run_logs.building import figure_of
from reportgen.run_logs.identities import FLOAT_NOISE, Span, at_most, equal, exactly, span
from reportgen.run_logs.numbers import Figure
from reportgen.units import Exact

LENGTH_SHARE = Fraction(1, 200)
"""``output_length_share`` of evidence/choices.toml."""
LATER = Fraction(1, 100), Fraction(10**6)
"""Share of the time behind the first token, and ns, by which the end of a request may lie behind its last gap: a chunk
without a token, the count of them, closes the answers of a chat (``trailing_share``, ``trailing_ms`` of
evidence/choices.toml)."""
EARLIER = Fraction(10**5)
"""ns by which it may lie before it: the clock is read again for the first token (``first_token_clock_ms``)."""
_SECOND = 10**9
_PERCENTILE = re.compile(r"p([0-9]{1,2}(?:\.[0-9]{1,4})?)")


def _of(values: Sequence[LoggedValue], metric: str, kind: str = "", statistic: str = "") -> LoggedValue | None:
    return next(
        (
            one
            for one in values
            if one.metric == metric and one.kind == kind and (not statistic or one.statistic == statistic)
        ),
        None,
    )


def _span(value: LoggedValue) -> Span:
    """A printed figure; a count is not rounded."""
    if value.statistic in ("count", "total") and value.value.unit == "1":
        return exactly(value.value.value)
    return span(figure_of(value))


def throughputs(values: Sequence[LoggedValue]) -> list[Identity]:
    """I7: completed, output tokens and all tokens over the duration are the three throughputs."""
    duration = _of(values, "duration")
    counted = (_of(values, "completed"), _of(values, "output_tokens"), _of(values, "input_tokens"))
    completed, output, given = counted
    rows = [
        ("completed_over_duration", "requests_per_s", [completed]),
        ("output_tokens_over_duration", "output_tokens_per_s", [output]),
        ("all_tokens_over_duration", "total_tokens_per_s", [given, output]),
    ]
    found = []
    for what, kind, parts in rows:
        rate = _of(values, "throughput", kind, "mean")
        listed = [part for part in parts if part is not None]
        if duration is None or rate is None or len(listed) < len(parts):
            continue
        total = sum((Fraction(part.value.value) for part in listed), Fraction(0))
        expected = exactly(total * _SECOND).over(_span(duration))
        if duration.value.value <= 0 < total:  # nothing is done in no time: the rate stands against none
            expected = exactly(0)
        if expected is not None:
            places = (rate.locator, *(part.locator for part in listed), duration.locator)
            noise = FLOAT_NOISE * expected.value
            found.append(equal("I7", what, _span(rate), expected, "1/s", places, extra=noise))
    return found


def from_lists(values: Sequence[LoggedValue], series: Sequence[LoggedSeries]) -> list[Identity]:
    """I8: mean, median and percentiles of a latency are those of its list.

    Times per output token that the gaps give are near those that the producer worked out of the end of each request,
    which the file then does not hold: no statistic lies beyond that of the least and that of the greatest of them.
    """
    found = []
    by_gaps = not any((one.metric, one.kind) == ("latency", "e2e") for one in series)
    for one in series:
        near = _near(one, series) if by_gaps and (one.metric, one.kind) == ("latency", "tpot") else None
        scale = lcm(*(value.denominator for value in one.sample.values))
        ordered = sorted(value.numerator * (scale // value.denominator) for value in one.sample.values)
        for value in values:
            if (value.metric, value.kind) != (one.metric, one.kind):
                continue
            scaled = _statistic(ordered, value.statistic)
            if scaled is not None:
                expected = scaled / scale
                extra = FLOAT_NOISE * expected  # JSON lists hold what the program computed with, unrounded
                if near is not None:
                    end = _statistic(near[value.value.value > expected], value.statistic)
                    extra += abs((end or expected) - expected)
                name = f"{value.statistic}_{value.kind or value.metric}_and_list"
                places = (value.locator, one.locator)
                found.append(equal("I8", name, _span(value), exactly(expected), "ns", places, extra=extra))
    return found


def _near(tpot: LoggedSeries, series: Sequence[LoggedSeries]) -> tuple[list[Fraction], list[Fraction]]:
    """The least and the greatest times per output token of which the gaps tell, each list sorted."""
    lengths = next((one.sample for one in series if one.metric == "output_tokens"), None)
    tokens = dict(zip(lengths.labels, lengths.values, strict=True)) if lengths is not None else {}
    share, later = LATER
    least, greatest = [], []
    for label, value in zip(tpot.sample.labels, tpot.sample.values, strict=True):
        gaps = max(Fraction(tokens.get(label, 2)) - 1, Fraction(1))
        least.append(value - EARLIER / gaps)
        greatest.append(value * (1 + share) + later / gaps)
    return sorted(least), sorted(greatest)


def _statistic(ordered: Sequence[Exact], statistic: str) -> Fraction | None:
    """Mean, median or percentile of sorted values, between two of them on a straight line; None for any other."""
    if statistic == "mean":
        return Fraction(sum(ordered)) / len(ordered)
    match = _PERCENTILE.fullmatch("p50" if statistic == "median" else statistic)
    if match is None:
        return None
    place = (len(ordered) - 1) * Fraction(match[1]) / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return Fraction(ordered[below] + (ordered[above] - ordered[below]) * (place - below))


def asked(values: Sequence[LoggedValue], sent: Figure | None, locator: str) -> list[Identity]:
    """I7: requests completed and failed are all that were sent."""
    completed, failed = _of(values, "completed"), _of(values, "failed")
    if sent is None or completed is None or failed is None:
        return []
    counted = exactly(Fraction(completed.value.value) + failed.value.value)
    places = (completed.locator, failed.locator, locator)
    return [equal("I7", "completed_and_failed", counted, exactly(sent.value), "1", places, extra=0)]


def output_length(values: Sequence[LoggedValue], asked: Figure | None, locator: str) -> list[Identity]:
    """I9: output tokens over completed requests is the length asked for, where the file states one."""
    completed, output = _of(values, "completed"), _of(values, "output_tokens")
    if asked is None or completed is None or output is None or completed.value.value <= 0:
        return []
    mean = exactly(Fraction(output.value.value) / completed.value.value)
    expected = exactly(asked.value)
    places = (output.locator, completed.locator, locator)
    extra = LENGTH_SHARE * expected.value
    return [equal("I9", "mean_output_length", mean, expected, "1", places, extra=extra)]


def load(
    values: Sequence[LoggedValue], series: Sequence[LoggedSeries], limit: Figure | None, locator: str
) -> list[Identity]:
    """I13: requests per second times mean end-to-end time is at most the concurrency allowed.

    Where the end-to-end time is not told it follows from the lists; else the time to the first token stands for it,
    which is no longer.
    """
    rate = _of(values, "throughput", "requests_per_s", "mean")
    if rate is None or limit is None:
        return []
    time, places = _mean_end(values, series)
    what = "mean_concurrency"
    if time is None:
        first = _of(values, "latency", "ttft", "mean")
        if first is None:
            return []
        time, places, what = _span(first), (first.locator,), "mean_concurrency_by_first_tokens"
    busy = _span(rate).times(time).scaled(Fraction(1, _SECOND))
    return [at_most("I13", what, busy, exactly(limit.value), "1", (rate.locator, *places, locator))]


def _mean_end(values: Sequence[LoggedValue], series: Sequence[LoggedSeries]) -> tuple[Span | None, tuple[str, ...]]:
    """Mean end-to-end time of the requests and where it stands; None where the file does not give it.

    As printed; of its list; of the times to the first token and the gaps behind it; of answers that are all as long,
    the mean time to the first token and the mean time of every further token.
    """
    mean = _of(values, "latency", "e2e", "mean")
    if mean is not None:
        return _span(mean), (mean.locator,)
    lists = {(one.metric, one.kind): one for one in series}
    ends, firsts, gaps = (lists.get(("latency", kind)) for kind in ("e2e", "ttft", "itl"))
    if ends is not None:
        return exactly(_sum(ends) / len(ends.sample.values)), (ends.locator,)
    if firsts is not None and gaps is not None:
        total = _sum(firsts) + _sum(gaps)
        return exactly(total / len(firsts.sample.values)), (firsts.locator, gaps.locator)
    lengths = lists.get(("output_tokens", ""))
    first, further = (_of(values, "latency", kind, "mean") for kind in ("ttft", "tpot"))
    if lengths is None or first is None or further is None or len(set(lengths.sample.values)) > 1:
        return None, ()
    time = _span(first).plus(_span(further).scaled(max(Fraction(lengths.sample.values[0]) - 1, Fraction(0))))
    return time, (first.locator, further.locator, lengths.locator)


def _sum(series: LoggedSeries) -> Fraction:
    return sum(map(Fraction, series.sample.values), Fraction(0))
