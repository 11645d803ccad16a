"""How much work the runs of both sides did, by their own figures: lengths, tokens a step, failures, operations a step.

Nothing is rounded before it is compared; the share by which two figures may lie apart is ``run_figure_share`` of
evidence/choices.toml. Source: docs/tricks.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from reportgen import samples, units
from reportgen.comparability.settings import Permissions
from reportgen.model import Case, Held, LoggedRun, LoggedValue, Reason
from reportgen.run_conditions.facts import RunFact, held, stand

SHARE = Fraction(1, 200)
"""``run_figure_share`` of evidence/choices.toml."""
WORK_FACTOR = Fraction(3, 2)
"""``run_work_factor`` of evidence/choices.toml."""
SERVING = ("vllm_bench", "sglang_bench", "aisbench_total", "aisbench_stable", "mindie_benchmark", "evalscope_s",
           "evalscope_ms")  # fmt: skip
"""Definition sets of load generators."""


class Figure(NamedTuple):
    """A figure of one run, exact."""

    value: Fraction
    """Value."""
    text: str
    """As what it is computed from."""
    locator: str
    """Where it stands."""


def compare(
    case: Case, before: Sequence[LoggedRun], after: Sequence[LoggedRun], granted: Permissions
) -> Iterator[RunFact]:
    """What the figures of both sides say of the work that was done.

    Args:
        before, after: runs of one definition set, at least one of each side.
    """
    sides = (before, after)
    definitions = before[0].run.definitions
    if definitions in SERVING:
        for key, metric in (("output_length", "output_tokens"), ("input_length", "input_tokens")):
            yield from _alike(
                case.id, key, sides, [[mean_length(one, metric) for one in runs] for runs in sides], granted
            )
        yield from _single_tokens(case.id, sides, granted)
        yield from _failures(case, sides, granted)
    yield from _alike(
        case.id,
        "tokens_per_step",
        sides,
        [[_a_step(one, "tokens") for one in runs] for runs in sides],
        granted,
        quiet=True,
    )
    yield from _alike(
        case.id,
        "samples_per_step",
        sides,
        [[_a_step(one, "samples") for one in runs] for runs in sides],
        granted,
        quiet=True,
    )
    yield from _alike(
        case.id, "samples_per_inference", sides, [[_an_inference(one) for one in runs] for runs in sides], granted,
        quiet=True,
    )  # fmt: skip
    work = [[_operations(one) for one in runs] for runs in sides]
    known = [one.value for side in work for one in side if one is not None]
    shared = bool(known) and max(known) >= WORK_FACTOR * min(known)  # as where more devices share the work of a step
    yield from _alike(case.id, "flops_per_step", sides, work, granted, quiet=True, stops=shared)


def _alike(
    case: str,
    key: str,
    sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]],
    figures: Sequence[Sequence[Figure | None]],
    granted: Permissions,
    *,
    quiet: bool = False,
    stops: bool = True,
) -> Iterator[RunFact]:
    """One figure of all runs; they may lie ``SHARE`` apart. ``quiet``: nothing is said where no run has it."""
    known = [one for side in figures for one in side if one is not None]
    if quiet and not known:
        return
    values = tuple(held_figures(runs, side) for runs, side in zip(sides, figures, strict=True))
    least, most = (
        min((one.value for one in known), default=Fraction(0)),
        max((one.value for one in known), default=Fraction(0)),
    )
    whole = len(known) == sum(map(len, figures))
    yield stand(
        case,
        key,
        (values[0], values[1]),
        granted,
        definitions=sides[0][0].run.definitions,
        equal=whole and most - least <= SHARE * least,
        reason=Reason.of("run_lengths_not_stated") if not known else None,
        stops=stops and bool(known),
        declarable=True,
    )


def held_figures(runs: Sequence[LoggedRun], figures: Sequence[Figure | None]) -> Held:
    """One side of a fact: a figure of each run; not stated where one of them has none."""
    if any(one is None for one in figures):
        return held(runs, None, ["whole file" for _ in runs])
    known = [one for one in figures if one is not None]
    return held(runs, "; ".join(one.text for one in known), [one.locator for one in known], "as written")


def value_of(run: LoggedRun, metric: str, statistic: str) -> LoggedValue | None:
    """A printed figure of a metric that has no kinds; None where it is not printed."""
    wanted = (metric, "", statistic)
    return next((v for v in run.run.values if (v.metric, v.kind, v.statistic) == wanted), None)


def mean_length(run: LoggedRun, metric: str) -> Figure | None:
    """Mean tokens of a completed request: total over requests, else by the rates, else the mean that is printed."""
    total, done = value_of(run, metric, "total"), value_of(run, "completed", "count")
    if total is not None and done is not None and done.value.value > 0:
        text = f"{total.value.value} / {done.value.value}"
        return Figure(Fraction(total.value.value) / done.value.value, text, f"{total.locator}, {done.locator}")
    by_rates = _by_rates(run, metric)
    if by_rates is not None:
        return by_rates
    mean = value_of(run, metric, "mean")
    if mean is None:
        return None
    return Figure(Fraction(mean.value.value), units.exact_text(mean.value.value, "").strip(), mean.locator)


def _by_rates(run: LoggedRun, metric: str) -> Figure | None:
    """The same where the total is not stated: tokens a second over requests a second, both of one duration."""
    rates = {v.kind: v for v in run.run.values if v.metric == "throughput" and v.statistic == "mean"}
    requests, output, both = (rates.get(f"{kind}_per_s") for kind in ("requests", "output_tokens", "total_tokens"))
    if requests is None or output is None or not requests.value.value:
        return None
    tokens, places = Fraction(output.value.value), [output.locator, requests.locator]
    if metric == "input_tokens":
        if both is None:
            return None
        tokens, places = both.value.value - tokens, [both.locator, *places]
    value = tokens / requests.value.value
    return Figure(value, f"{float(value):.6g}", ", ".join(places))


def _a_step(run: LoggedRun, metric: str) -> Figure | None:
    """Mean of a count that each step gives, or that the run gives for a step."""
    mean = value_of(run, f"{metric}_per_step", "mean")
    if mean is not None:
        return Figure(Fraction(mean.value.value), str(mean.value.value), mean.locator)
    series = next((s for s in run.run.series if (s.metric, s.kind) == (metric, "")), None)
    if series is None:
        return None
    values = series.sample.values
    return Figure(Fraction(sum(values)) / len(values), f"{sum(values)} / {len(values)}", series.locator)


def _an_inference(run: LoggedRun) -> Figure | None:
    """Samples of one inference where the batch size is not stated: samples a second times its mean time (I12)."""
    rate = next((v for v in run.run.values if (v.metric, v.kind) == ("throughput", "samples_per_s")), None)
    wanted = ("latency", "npu_compute", "mean")
    mean = next((v for v in run.run.values if (v.metric, v.kind, v.statistic) == wanted), None)
    if rate is None or mean is None or any(one.key == "batch_size" for one in run.run.context):
        return None
    value = Fraction(rate.value.value) * mean.value.value / 10**9
    return Figure(value, f"{float(value):.6g}", f"{rate.locator}, {mean.locator}")


def _operations(run: LoggedRun) -> Figure | None:
    """Operations of a step by the producer's formula: its rate times the step's time, the median of the steps (I4, I5).

    Of MFU, whose peak is not printed, the same product for a token.
    """
    times = next((s for s in run.run.series if s.metric == "step_time"), None)
    flops = next((s for s in run.run.series if (s.metric, s.kind) == ("throughput", "flops_per_s_per_rank")), None)
    share = next((s for s in run.run.series if s.metric == "mfu"), None)
    tokens = _a_step(run, "tokens")
    rate = flops if flops is not None else share if tokens is not None else None
    if times is None or rate is None:
        return None
    by_label = dict(zip(times.sample.labels, times.sample.values, strict=False))
    products = sorted(
        Fraction(value) * by_label[label]
        for label, value in zip(rate.sample.labels, rate.sample.values, strict=False)
        if label in by_label
    )
    if not products:
        return None
    middle = samples.median(products)
    if flops is None and tokens is not None:
        return Figure(
            middle / tokens.value, f"{float(middle / tokens.value):.6g} ns", f"{rate.locator}; {times.locator}"
        )
    return Figure(middle, f"{float(middle / 10**9):.6g}", f"{rate.locator}; {times.locator}")


def _single_tokens(
    case: str, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """Answers of one token on average: there is no time between tokens, and a rate of tokens is one of requests."""
    short = [
        [one for run in runs if (one := mean_length(run, "output_tokens")) is not None and one.value <= 1]
        for runs in sides
    ]
    if not any(short):
        return
    values = tuple(
        held(runs, found[0].text if found else "", [one.locator for one in found])
        for runs, found in zip(sides, short, strict=True)
    )
    yield stand(
        case, "single_token_answers", (values[0], values[1]), granted, definitions=sides[0][0].run.definitions,
        reason=Reason.of("run_single_token_answers"),
    )  # fmt: skip


def _failures(
    case: Case, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """Requests that failed: more of them in AFTER have to be agreed, as the share that may fail or by name."""
    counts = [[_failed(run) for run in runs] for runs in sides]
    values = tuple(held_figures(runs, side) for runs, side in zip(sides, counts, strict=True))
    known = [[one.value for one in side if one is not None] for side in counts]
    complete = all(len(one) == len(runs) for one, runs in zip(known, sides, strict=True))
    worst = [max(one, default=Fraction(0)) for one in known]
    yield stand(
        case.id,
        "failed_requests",
        (values[0], values[1]),
        granted,
        definitions=sides[0][0].run.definitions,
        equal=complete and not any(worst),
        stops=complete and worst[1] > worst[0] and agreed_failures(case) is None,
        reason=Reason.of("run_failed_requests" if complete else "run_failures_not_stated"),
        declarable=True,
    )


def agreed_failures(case: Case) -> Fraction | None:
    """The share of a run's requests that may fail; None where none is agreed."""
    written = case.workload.failed_requests_at_most
    return Fraction(units.parse(written)[0]) if written else None


def too_many_failed(case: Case, runs: Sequence[LoggedRun]) -> Reason | None:
    """The first run of which more requests failed than was agreed; None without one, or without an agreement."""
    agreed = agreed_failures(case)
    for run in runs:
        found = _failed(run)
        if agreed is not None and found is not None and found.value > agreed:
            written = case.workload.failed_requests_at_most
            return Reason.of("failures_over_ceiling", file=run.run.file.path, failed=found.text, agreed=written)
    return None


def _failed(run: LoggedRun) -> Figure | None:
    """Share of the requests that failed: failed over completed and failed."""
    failed, done = value_of(run, "failed", "count"), value_of(run, "completed", "count")
    if failed is None or done is None:
        return None
    asked = failed.value.value + done.value.value
    share = Fraction(failed.value.value) / asked if asked else Fraction(0)
    return Figure(share, f"{failed.value.value} / {asked}", f"{failed.locator}, {done.locator}")
